interface Selectable {
  readonly name: string
  /** What it was called before. */
  readonly alias?: string
  /** Runs only if it is named. */
  readonly isOff?: boolean
}

/** What `--controllers` names. A name counts for more than `*`, and what was refused stays so. */
export function selected<T extends Selectable>(all: readonly T[], names: readonly string[]): readonly T[] {
  for (const name of names)
    if (name !== '*' && !all.some((entry) => isCalled(entry, name.replace(/^-/, ''))))
      throw new Error(`"${name.replace(/^-/, '')}" is not in the list of known controllers`)
  const isNamed = (entry: T, sign = '') =>
    names.some((name) => name.startsWith(sign) && isCalled(entry, name.slice(sign.length)))
  const isOn = (entry: T) => isNamed(entry) || (!isNamed(entry, '-') && names.includes('*') && !entry.isOff)
  return all.filter(isOn)
}

function isCalled({ name, alias }: Selectable, called: string): boolean {
  return called === name || called === alias
}
