import { findProgram, outputOf } from '../base/programs.js'

/** A table of nftables that belongs to one cluster. Our transactions never touch tables of other programs. */
export interface NftablesTable {
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

  /** The packet filter of this machine; undefined if `nft` is missing or the user is not root. */
  static ofThisMachine(): Nftables | undefined {
    const nft = process.getuid?.() === 0 ? findProgram('nft') : undefined
    return nft === undefined ? undefined : new Nftables([nft])
  }

  /** Applies rules in one transaction: all of them take effect, or none. */
  async apply(rules: string): Promise<void> {
    await outputOf({ program: this.#program, args: [...this.#args, '-f', '-'], input: rules })
  }
}

/** Returns the rules that replace a table and its contents. `body` is the text between its braces. */
export function tableReplacement(table: NftablesTable, body: string): string {
  return `${tableRemoval(table)}table ${table.family} ${table.name} {\n${body}}\n`
}

/** Returns the rules that delete a table, whether or not it exists: nft can delete only an existing table, so it is added first. */
export function tableRemoval({ family, name }: NftablesTable): string {
  return `add table ${family} ${name}\ndelete table ${family} ${name}\n`
}

/** Returns a valid table name: letters, digits and `_`. */
export function tableName(purpose: string, cluster: string): string {
  return `${purpose}_${cluster.replace(/\W/g, '_')}`
}
