import type { IncomingMessage } from 'node:http'

/** `299 - "text"`, several of them joined by commas. */
export function warningsOf({ headers }: IncomingMessage): readonly string[] {
  const { warning = '' } = headers
  return [...warning.matchAll(/299 \S+ ("(?:[^"\\]|\\.)*")/g)].map(([, quoted]) => unquoted(quoted!))
}

function unquoted(text: string): string {
  return text.slice(1, -1).replace(/\\(.)/g, '$1')
}
