import {
  KubeletServerError,
  type KubeletServerRequest,
  type KubeletServerResponse,
  plainTextResponse,
} from './api-request.js'

/** A check of the kubelet's health. Throws or rejects if it fails. */
export interface KubeletHealthCheck {
  readonly name: string
  readonly check: () => void | Promise<void>
}

const always: readonly KubeletHealthCheck[] = [
  { name: 'ping', check: () => {} },
  { name: 'log', check: () => {} },
]

/** Serves `/healthz`, and `/healthz/NAME` for one check. */
export async function healthResponse(
  { segments: parts, query }: KubeletServerRequest,
  more: readonly KubeletHealthCheck[],
): Promise<KubeletServerResponse> {
  const checks = [...always, ...more]
  const named = parts[1] || undefined
  const chosen = named === undefined ? checks : checks.filter(({ name }) => name === named)
  if (chosen.length === 0) throw new KubeletServerError(404, '404: Page Not Found')
  const lines = await Promise.all(chosen.map(lineOf))
  const isWell = lines.every((line) => line.startsWith('[+]'))
  if (!isWell) return plainTextResponse(500, `${lines.join('\n')}\nhealthz check failed\n`)
  return plainTextResponse(200, query.has('verbose') ? `${lines.join('\n')}\nhealthz check passed\n` : 'ok')
}

async function lineOf({ name, check }: KubeletHealthCheck): Promise<string> {
  try {
    await check()
    return `[+]${name} ok`
  } catch {
    return `[-]${name} failed: reason withheld`
  }
}
