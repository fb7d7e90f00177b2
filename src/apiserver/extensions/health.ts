import { type BytesResponse, textResponse } from '../response/response.js'

/** A health check. Throws or rejects if it fails. The reason is logged and never sent to the client. */
export interface ServerHealthCheck {
  readonly name: string
  readonly check: () => void | Promise<void>
  /** Whether the check counts only for `/readyz`. */
  readonly readinessOnly?: boolean
}

export type HealthEndpoint = 'healthz' | 'livez' | 'readyz'

export const ping: ServerHealthCheck = { name: 'ping', check: () => {} }

/** Serves `/healthz`, `/livez` and `/readyz`, and each check below these paths. */
export class Health {
  readonly #checks: readonly ServerHealthCheck[]
  readonly #failed: (name: string, error: unknown) => void

  constructor(checks: readonly ServerHealthCheck[], failed: (name: string, error: unknown) => void) {
    this.#checks = [ping, ...checks]
    this.#failed = failed
  }

  /** Returns undefined for an unknown path. */
  async response(endpoint: HealthEndpoint, rest: string, query: URLSearchParams): Promise<BytesResponse | undefined> {
    const checks = this.#checks.filter(({ readinessOnly }) => !readinessOnly || endpoint === 'readyz')
    return rest === '' ? this.#all(endpoint, checks, query) : this.#one(checks.find(({ name }) => name === rest))
  }

  async #one(check: ServerHealthCheck | undefined): Promise<BytesResponse | undefined> {
    if (!check) return undefined
    return (await this.#passes(check)) ? textResponse(200, 'ok') : textResponse(500, 'internal server error: not ok\n')
  }

  async #all(
    endpoint: HealthEndpoint,
    checks: readonly ServerHealthCheck[],
    query: URLSearchParams,
  ): Promise<BytesResponse> {
    const excluded = new Set(query.getAll('exclude'))
    const lines: string[] = []
    let isWell = true
    for (const check of checks) {
      const passes = excluded.has(check.name) || (await this.#passes(check))
      isWell &&= passes
      lines.push(
        excluded.delete(check.name)
          ? `[+]${check.name} excluded: ok`
          : passes
            ? `[+]${check.name} ok`
            : `[-]${check.name} failed: reason withheld`,
      )
    }
    for (const name of excluded) lines.push(`warn: some health checks cannot be excluded: no matches for "${name}"`)
    const verbose = query.has('verbose')
    if (isWell) return textResponse(200, verbose ? `${lines.join('\n')}\n${endpoint} check passed\n` : 'ok')
    return textResponse(500, `${lines.join('\n')}\n${endpoint} check failed\n`)
  }

  async #passes({ name, check }: ServerHealthCheck): Promise<boolean> {
    try {
      await check()
      return true
    } catch (error) {
      this.#failed(name, error)
      return false
    }
  }
}
