/**
 * Where a field stands: `spec.containers[0].env[1].name`. A path is a chain of links to its parents, and becomes text only
 * when an error needs it, so that validation of a good object concatenates nothing.
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

  /** The path that leads nowhere. It shows as `<nil>`, and its children as roots. */
  static readonly none = new FieldPath(undefined, '')

  child(name: string, ...names: readonly string[]): FieldPath {
    let path = new FieldPath(this, name)
    for (const next of names) path = new FieldPath(path, next)
    return path
  }

  /** An element of the list here. */
  index(position: number): FieldPath {
    return new FieldPath(this, '', position)
  }

  /** A value of the map here. */
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

  /** A name that is empty shows as an empty subscript; the whole of an object is reported as `[]`. */
  #text(hasParent: boolean): string {
    if (this.#name === '') return `[${this.#key ?? ''}]`
    return hasParent ? `.${this.#name}` : this.#name
  }
}

/** The path of a field from the top: `fieldPath('metadata', 'labels')`. */
export function fieldPath(name: string, ...names: readonly string[]): FieldPath {
  return FieldPath.none.child(name, ...names)
}
