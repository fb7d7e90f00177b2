type Fields = Readonly<Record<string, unknown>>

/** The response of an extender. Field names are matched in any case, as in Go. Each method throws if its field has the wrong form. */
export class ExtenderResponse {
  /** The name of the extender. */
  readonly from: string
  readonly #value: unknown

  constructor(from: string, value: unknown) {
    this.from = from
    this.#value = value
  }

  invalid(reason: string): Error {
    return new Error(`invalid response of extender ${this.from}: ${reason}`)
  }

  /** Throws if the extender reports an error. */
  throwIfError(): void {
    const error = this.#field(this.#value, 'Error')
    if (typeof error === 'string' && error !== '') throw new Error(`extender ${this.from}: ${error}`)
  }

  /** The nodes that passed, whether the extender gives names or objects. */
  nodeNames(): readonly string[] | undefined {
    const names = this.#field(this.#value, 'NodeNames')
    if (Array.isArray(names)) return names.map((name) => this.#text(name, 'NodeNames'))
    const nodes = this.#field(this.#value, 'Nodes')
    if (nodes === undefined || nodes === null) return undefined
    return this.#list(this.#field(nodes, 'items') ?? [], 'Nodes.items').map((node) =>
      this.#text(this.#field(this.#field(node, 'metadata'), 'name'), 'Nodes.items'),
    )
  }

  /** By node name. */
  messages(name: 'FailedNodes' | 'FailedAndUnresolvableNodes'): Readonly<Record<string, string>> {
    const given = this.#field(this.#value, name) ?? {}
    if (typeof given !== 'object') throw this.invalid(`${name} is no map`)
    return Object.fromEntries(Object.entries(given as Fields).map(([node, text]) => [node, this.#text(text, name)]))
  }

  /** By node name. */
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
    if (typeof given !== 'object') throw this.invalid('NodeNameToMetaVictims is no map')
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
    if (!Array.isArray(value)) throw this.invalid(`${name} is no list`)
    return value
  }

  #text(value: unknown, name: string): string {
    if (typeof value !== 'string') throw this.invalid(`${name} is no text`)
    return value
  }

  #number(value: unknown, name: string): number {
    if (typeof value !== 'number' || !Number.isFinite(value)) throw this.invalid(`${name} is no number`)
    return value
  }
}
