// Shows people the output of a script while it runs: in whole lines, neutralised, up to a limit.

import type { ScriptPiece } from '../scripts/plan.ts';
import { presentText } from './present.ts';

/** Output of a script for people who watch it, in whole lines. It is not escaped for HTML. */
export interface ScriptProgress extends ScriptPiece {
  /** The name of the skill. */
  readonly skill: string;
  /** Path of the script in the skill. */
  readonly path: string;
  /** The id of the tool call, if the framework has given it one. */
  readonly call?: string | undefined;
}

/** Limit for the characters that are shown while a script runs. The result also contains the end of the output. */
const maxShown = 65_536;

/** Characters after which an incomplete line is shown. */
const longestLine = 4_096;

/** Receives the output of a script. */
export interface PieceListener {
  add(piece: ScriptPiece): void;
  /** Shows incomplete lines, and ignores output that comes later. */
  end(): void;
}

/** Creates a listener that shows whole lines. If `show` throws, it is not called again, and the script continues. */
export function showPieces(show: (piece: ScriptPiece) => void): PieceListener {
  const begun = { output: '', errors: '' };
  let room = maxShown;

  function send(stream: ScriptPiece['stream'], text: string): void {
    if (text === '' || room <= 0) return;
    const shown = presentText(text.slice(0, room)).text;
    room -= text.length;
    try {
      show({ stream, text: room < 0 ? `${shown}\n[…]\n` : shown });
    } catch {
      room = 0;
    }
  }

  return {
    add({ stream, text }) {
      const all = begun[stream] + text;
      const end = all.length > longestLine ? all.length : Math.max(all.lastIndexOf('\n'), all.lastIndexOf('\r')) + 1;
      begun[stream] = all.slice(end);
      send(stream, all.slice(0, end));
    },
    end() {
      send('output', begun.output);
      send('errors', begun.errors);
      room = 0;
    },
  };
}
