import type { JsonObject } from '../../schema/declaration.js'
import { objectIn, stringIn } from '../../schema/json-value.js'
import type { Rest } from '../factory/rest.js'
import { ageText } from '../printers/age.js'
import { itemsOf } from '../resources/resource-object.js'
import type { DescriptionPage } from './page.js'

/** What describes an object: writes it onto the page, asking for whatever else belongs to it. */
export type Describe<T = never> = (object: T, on: DescribeContext) => Promise<void> | void

interface DescribeContextOptions {
  readonly page: DescriptionPage
  readonly rest: Rest
  readonly now: number
  readonly showEvents: boolean
  readonly chunkSize: number
  /** Of the request; '' where the kind has none. */
  readonly namespace: string
}

/** One object that is described: the page, and what else can be asked. */
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

  /** How long ago something was; `<unknown>` where nobody knows when. */
  since(time: string | undefined | null): string {
    return time ? ageText(this.#options.now - Date.parse(time)) : '<unknown>'
  }

  /** Every item of a list, however many pages it has. */
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
