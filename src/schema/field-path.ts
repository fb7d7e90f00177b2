/**
 * The path of a field: `spec.containers[0].env[1].name`. A path links to its parent and is formatted only for an error, so that
 * validation of a valid object concatenates no strings.
 */
export class FieldPath {
  readonly #parent: FieldPath | undefined
  readonly #name: string
  /** The subscript of a list or map, if this is one. */
  readonly #key: string | number | undefined

  private constructor(parent: FieldPath | undefined, name: string, key?: string | number) {
    this.#parent = parent
    this.#name = name
    this.#key = key
  }

  /** The empty path. It prints as `<nil>`, and its children are roots. */
  static readonly none = new FieldPath(undefined, '')

  child(name: string, ...names: readonly string[]): FieldPath {
    let path = new FieldPath(this, name)
    for (const next of names) path = new FieldPath(path, next)
    return path
  }

  /** The path of an element of the list at this path. */
  index(position: number): FieldPath {
    return new FieldPath(this, '', position)
  }

  /** The path of a value of the map at this path. */
  key(key: string): FieldPath {
    return new FieldPath(this, '', key)
  }

  toString(): string {
    if (this === FieldPath.none) return '<nil>'
    const links: FieldPath[] = []
    for (let link: FieldPath | undefined = this; link && link !== FieldPath.none; link = link.#parent) links.push(link)
    let text = ''
    for (const link of links.reverse()) text += link.#text(link.#parent !== FieldPath.none)
    return text
  }

  /** Prints an empty name as an empty subscript: errors of a whole object have the path `[]`. */
  #text(hasParent: boolean): string {
    if (this.#name === '') return `[${this.#key ?? ''}]`
    return hasParent ? `.${this.#name}` : this.#name
  }
}

/** The path of a field from the root: `fieldPath('metadata', 'labels')`. */
export function fieldPath(name: string, ...names: readonly string[]): FieldPath {
  return FieldPath.none.child(name, ...names)
}
