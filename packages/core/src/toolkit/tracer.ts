// OpenTelemetry as far as skills use it, so that the core depends on no package and takes every version. Types only.

/** What describes a span or an event. */
export type SpanAttributes = Record<string, string | number | boolean | string[]>;

/** A span of OpenTelemetry, as far as it is written to. */
export interface SkillSpan {
  updateName(name: string): unknown;
  setAttributes(attributes: SpanAttributes): unknown;
  addEvent(name: string, attributes: SpanAttributes): unknown;
  setStatus(status: { code: 2 }): unknown;
  recordException(error: Error): unknown;
  end(): void;
}

/** A tracer of OpenTelemetry: `trace.getTracer('my-app')` of `@opentelemetry/api`. */
export interface SkillTracer {
  startActiveSpan<Result>(
    name: string,
    options: { attributes: SpanAttributes },
    run: (span: SkillSpan) => Result,
  ): Result;
}
