// Sends skills to the database before a version refers to them.

import type { Bundle } from './bundle.ts';
import type { Query } from './client.ts';
import { type Session, transact } from './database.ts';
import { wordOf } from './search-function.ts';

/** Bytes of files in one statement, unless a single file has more. */
const enoughBytes = 4 * 1024 * 1024;

/** Sends the bundles that are not in the database yet for the tenant. */
export async function sendBundles(session: Session, bundles: readonly Bundle[]): Promise<void> {
  const { tenant } = session;
  await transact(session, async (query) => {
    // Each is looked up separately, because without statistics, PostgreSQL would read all skills of the tenant.
    const rows = await query<{ digest: string }>(
      `select b.digest from unnest($2::text[]) as sent (digest) cross join lateral (
        select digest from skillful.bundles where tenant = $1 and digest = sent.digest limit 1
      ) b`,
      [tenant, bundles.map(({ digest }) => digest)],
    );
    const known = new Set(rows.map(({ digest }) => digest));
    const unknown = bundles.filter(({ digest }) => !known.has(digest));
    if (unknown.length === 0) return;
    await query(
      `insert into skillful.bundles (tenant, digest, head, sidecar, bytes, has_files, truncated, refused, name, plugin,
        profile, words)
      select $1, digest, decode(head, 'base64'), decode(sidecar, 'base64'), bytes, has_files, truncated, refused, name,
        plugin, profile, setweight(to_tsvector('english', called), 'A') || setweight(to_tsvector('english', purpose), 'B')
        || setweight(to_tsvector('english', body), 'D') || array_to_tsvector(array[${wordOf('$1::text')}])
      from json_to_recordset($2::json) as b (digest text, head text, sidecar text, bytes integer, has_files boolean,
        truncated boolean, refused text[], name text, plugin text, profile text, called text, purpose text, body text)
      on conflict do nothing`,
      [tenant, JSON.stringify(unknown.map(toRow))],
    );
    await sendFiles(query, tenant, unknown);
  });
}

function toRow({ digest, head, sidecar, files, truncated, refused, name, plugin, profile, texts }: Bundle) {
  const [called, purpose, body] = texts;
  return {
    ...{ digest, truncated, refused, name, plugin, profile, called, purpose, body },
    head: toBase64(head),
    sidecar: sidecar === undefined ? undefined : toBase64(sidecar),
    bytes: files[0]?.bytes,
    has_files: files.length > 1,
  };
}

async function sendFiles(query: Query, tenant: string, bundles: readonly Bundle[]): Promise<void> {
  const rows = bundles.flatMap(({ digest, files }) => files.map((file) => ({ digest, ...file })));
  for (let start = 0, end = 0; start < rows.length; start = end) {
    for (let bytes = 0; end < rows.length && bytes < enoughBytes; end += 1) {
      bytes += rows[end]?.content?.length ?? 0;
    }
    const sent = rows.slice(start, end).map(({ content, ...row }) => {
      return { ...row, content: content === undefined ? undefined : toBase64(content) };
    });
    await query(
      `insert into skillful.files (tenant, digest, path, bytes, content)
      select $1, digest, path, bytes, decode(content, 'base64')
      from json_to_recordset($2::json) as f (digest text, path text, bytes bigint, content text)
      on conflict do nothing`,
      [tenant, JSON.stringify(sent)],
    );
  }
}

function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}
