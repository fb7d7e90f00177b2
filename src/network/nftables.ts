import { findProgram, outputOf } from '../base/programs.js'

/** A table of nftables that belongs to one cluster. Nobody else's table is ever named in a transaction of ours. */
export interface Table {
  readonly family: 'inet' | 'ip' | 'ip6'
  readonly name: string
}

/** The kernel's packet filter. */
export class Nftables {
  readonly #program: string
  readonly #args: readonly string[]

  /** How `nft` is run: `['nft']`, or `['ip', 'netns', 'exec', 'a', 'nft']` for the network namespace `a`. */
  constructor([program, ...args]: readonly [string, ...string[]]) {
    this.#program = program
    this.#args = args
  }

  /** That of this machine; undefined without the program, or for a user who may not change it. */
  static ofThisMachine(): Nftables | undefined {
    const nft = process.getuid?.() === 0 ? findProgram('nft') : undefined
    return nft === undefined ? undefined : new Nftables([nft])
  }

  /** Applies rules in one transaction: all of them take effect, or none. */
  async apply(rules: string): Promise<void> {
    await outputOf({ program: this.#program, args: [...this.#args, '-f', '-'], input: rules })
  }
}

/** Replaces a table and all that is in it. `body` is what stands between its braces. */
export function replacement(table: Table, body: string): string {
  return `${removal(table)}table ${table.family} ${table.name} {\n${body}}\n`
}

/** Deletes a table, whether or not it exists: only an existing one can be deleted, so it is added first. */
export function removal({ family, name }: Table): string {
  return `add table ${family} ${name}\ndelete table ${family} ${name}\n`
}

/** A name that nft takes: letters, digits and `_`. */
export function tableName(purpose: string, cluster: string): string {
  return `${purpose}_${cluster.replace(/\W/g, '_')}`
}
