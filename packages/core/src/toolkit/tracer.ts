// The part of OpenTelemetry that Skillful uses, so that the core depends on no package and accepts every version. Types only.

/** The attributes of a span or an event. */
export type SpanAttributes = Record<string, string | number | boolean | string[]>;

/** The part of an OpenTelemetry span that Skillful uses. */
export interface SkillSpan {
  updateName(name: string): unknown;
  setAttributes(attributes: SpanAttributes): unknown;
  addEvent(name: string, attributes: SpanAttributes): unknown;
  setStatus(status: { code: 2 }): unknown;
  recordException(error: Error): unknown;
  end(): void;
}

/** A tracer of OpenTelemetry, such as `trace.getTracer('my-app')` from `@opentelemetry/api`. */
export interface SkillTracer {
  startActiveSpan<Result>(
    name: string,
    options: { attributes: SpanAttributes },
    run: (span: SkillSpan) => Result,
  ): Result;
}
