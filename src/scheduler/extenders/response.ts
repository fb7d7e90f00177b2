type Fields = Readonly<Record<string, unknown>>

/** What an extender said. Names of fields count in whatever case; what is not of the form that it must be is refused. */
export class ExtenderResponse {
  /** Who said it. */
  readonly from: string
  readonly #value: unknown

  constructor(from: string, value: unknown) {
    this.from = from
    this.#value = value
  }

  wrong(why: string): Error {
    return new Error(`extender ${this.from} answers with what makes no sense: ${why}`)
  }

  /** It may say itself that something went wrong. */
  throwItsError(): void {
    const error = this.#field(this.#value, 'Error')
    if (typeof error === 'string' && error !== '') throw new Error(`extender ${this.from}: ${error}`)
  }

  /** Of the nodes that would do, whether it gives names or nodes. */
  nodeNames(): readonly string[] | undefined {
    const names = this.#field(this.#value, 'NodeNames')
    if (Array.isArray(names)) return names.map((name) => this.#text(name, 'NodeNames'))
    const nodes = this.#field(this.#value, 'Nodes')
    if (nodes === undefined || nodes === null) return undefined
    return this.#list(this.#field(nodes, 'items') ?? [], 'Nodes.items').map((node) =>
      this.#text(this.#field(this.#field(node, 'metadata'), 'name'), 'Nodes.items'),
    )
  }

  /** By the name of the node. */
  messages(name: 'FailedNodes' | 'FailedAndUnresolvableNodes'): Readonly<Record<string, string>> {
    const given = this.#field(this.#value, name) ?? {}
    if (typeof given !== 'object') throw this.wrong(`${name} is no map`)
    return Object.fromEntries(Object.entries(given as Fields).map(([node, text]) => [node, this.#text(text, name)]))
  }

  /** By the name of the node. */
  priorities(): ReadonlyMap<string, number> {
    return new Map(
      this.#list(this.#value ?? [], 'the list of priorities').map((entry) => [
        this.#text(this.#field(entry, 'Host'), 'Host'),
        this.#number(this.#field(entry, 'Score') ?? 0, 'Score'),
      ]),
    )
  }

  victims(): readonly { readonly nodeName: string; readonly uids: readonly string[]; readonly violations: number }[] {
    const given = this.#field(this.#value, 'NodeNameToMetaVictims') ?? {}
    if (typeof given !== 'object') throw this.wrong('NodeNameToMetaVictims is no map')
    return Object.entries(given as Fields).map(([nodeName, victims]) => ({
      nodeName,
      uids: this.#list(this.#field(victims, 'Pods') ?? [], 'Pods').map((pod) =>
        this.#text(this.#field(pod, 'UID'), 'UID'),
      ),
      violations: this.#number(this.#field(victims, 'NumPDBViolations') ?? 0, 'NumPDBViolations'),
    }))
  }

  #field(value: unknown, name: string): unknown {
    if (typeof value !== 'object' || value === null) return undefined
    const fields = value as Fields
    if (Object.hasOwn(fields, name)) return fields[name]
    const wanted = name.toLowerCase()
    const found = Object.keys(fields).find((key) => key.toLowerCase() === wanted)
    return found === undefined ? undefined : fields[found]
  }

  #list(value: unknown, name: string): readonly unknown[] {
    if (!Array.isArray(value)) throw this.wrong(`${name} is no list`)
    return value
  }

  #text(value: unknown, name: string): string {
    if (typeof value !== 'string') throw this.wrong(`${name} is no text`)
    return value
  }

  #number(value: unknown, name: string): number {
    if (typeof value !== 'number' || !Number.isFinite(value)) throw this.wrong(`${name} is no number`)
    return value
  }
}
