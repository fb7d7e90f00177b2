import type { JsonObject } from '../../schema/declaration.js'
import { objectIn, stringIn } from '../../schema/json-value.js'
import type { Rest } from '../factory/rest.js'
import { ageText } from '../printers/age.js'
import { itemsOf } from '../resources/resource-object.js'
import type { DescriptionPage } from './page.js'

/** Writes an object onto the page. May request related objects. */
export type Describe<T = never> = (object: T, on: DescribeContext) => Promise<void> | void

interface DescribeContextOptions {
  readonly page: DescriptionPage
  readonly rest: Rest
  readonly now: number
  readonly showEvents: boolean
  readonly chunkSize: number
  /** The namespace of the request; '' for cluster-scoped kinds. */
  readonly namespace: string
}

/** What a describer works with: the page and access to related objects. */
export class DescribeContext {
  readonly #options: DescribeContextOptions

  constructor(options: DescribeContextOptions) {
    this.#options = options
  }

  get page(): DescriptionPage {
    return this.#options.page
  }

  get rest(): Rest {
    return this.#options.rest
  }

  get showEvents(): boolean {
    return this.#options.showEvents
  }

  get namespace(): string {
    return this.#options.namespace
  }

  /** The time since then; `<unknown>` without a time. */
  since(time: string | undefined | null): string {
    return time ? ageText(this.#options.now - Date.parse(time)) : '<unknown>'
  }

  /** All items of a list, from all pages. */
  async list<T>(path: string, query: Readonly<Record<string, string>> = {}): Promise<readonly T[]> {
    const found: JsonObject[] = []
    let token = ''
    do {
      const limit = this.#options.chunkSize || undefined
      const page = await this.rest.json<JsonObject>({ path, query: { ...query, limit, continue: token || undefined } })
      found.push(...itemsOf(page))
      token = stringIn(objectIn(page, 'metadata'), 'continue')
    } while (token !== '')
    return found as unknown as readonly T[]
  }
}
