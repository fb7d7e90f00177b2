/**
 * A sorted map that can be copied at once, whatever its size: copies share their nodes, and whoever writes first to a shared node
 * makes its own (a B+ tree with copy on write).
 */
export class SortedMap<Key, Value> {
  readonly #compare: (a: Key, b: Key) => number
  #root: Node<Key, Value>
  /** Nodes that carry this token belong to this map alone. */
  #owner: object

  constructor(compare: (a: Key, b: Key) => number, root?: Node<Key, Value>) {
    this.#compare = compare
    this.#owner = {}
    this.#root = root ?? { owner: this.#owner, keys: [], values: [], children: undefined }
  }

  /** A copy that is independent from now on. Neither side owns the shared nodes any more. */
  copy(): SortedMap<Key, Value> {
    this.#owner = {}
    return new SortedMap(this.#compare, this.#root)
  }

  get(key: Key): Value | undefined {
    let node = this.#root
    while (node.children) node = node.children[this.#child(node, key)]!
    const place = this.#place(node, key)
    return place < node.keys.length && this.#compare(node.keys[place]!, key) === 0 ? node.values[place] : undefined
  }

  set(key: Key, value: Value): void {
    this.#root = this.#own(this.#root)
    const split = this.#insert(this.#root, key, value)
    if (!split) return
    const children = [this.#root, split]
    this.#root = { owner: this.#owner, keys: [firstKey(this.#root), firstKey(split)], values: [], children }
  }

  delete(key: Key): void {
    if (this.get(key) === undefined) return
    this.#root = this.#own(this.#root)
    this.#remove(this.#root, key)
    while (this.#root.children?.length === 1) this.#root = this.#root.children[0]!
  }

  /** The entries from `start` on, in order. The map must not be changed meanwhile: take a copy for that. */
  *from(start: Key): IterableIterator<readonly [Key, Value]> {
    yield* this.#walk(this.#root, start)
  }

  *#walk(node: Node<Key, Value>, start: Key): IterableIterator<readonly [Key, Value]> {
    if (node.children) {
      let place = this.#child(node, start)
      yield* this.#walk(node.children[place]!, start)
      for (place++; place < node.children.length; place++) yield* this.#walk(node.children[place]!, start)
    } else
      for (let place = this.#place(node, start); place < node.keys.length; place++)
        yield [node.keys[place]!, node.values[place]!]
  }

  /** The first place whose key is not before the given one. */
  #place({ keys }: Node<Key, Value>, key: Key): number {
    let low = 0
    let high = keys.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#compare(keys[middle]!, key) < 0) low = middle + 1
      else high = middle
    }
    return low
  }

  /** The child under which the key is, or would be. */
  #child(node: Node<Key, Value>, key: Key): number {
    const place = this.#place(node, key)
    const exact = place < node.keys.length && this.#compare(node.keys[place]!, key) === 0
    return exact ? place : Math.max(0, place - 1)
  }

  #own(node: Node<Key, Value>): Node<Key, Value> {
    if (node.owner === this.#owner) return node
    const { keys, values, children } = node
    return { owner: this.#owner, keys: keys.slice(), values: values.slice(), children: children?.slice() }
  }

  #ownChild(node: Node<Key, Value>, place: number): Node<Key, Value> {
    const child = this.#own(node.children![place]!)
    node.children![place] = child
    return child
  }

  /** Inserts below an owned node; what the node had to split off, if anything. */
  #insert(node: Node<Key, Value>, key: Key, value: Value): Node<Key, Value> | undefined {
    if (!node.children) {
      const place = this.#place(node, key)
      if (place < node.keys.length && this.#compare(node.keys[place]!, key) === 0) {
        node.values[place] = value
        return undefined
      }
      node.keys.splice(place, 0, key)
      node.values.splice(place, 0, value)
      return this.#split(node)
    }
    const place = this.#child(node, key)
    const child = this.#ownChild(node, place)
    const split = this.#insert(child, key, value)
    node.keys[place] = firstKey(child)
    if (!split) return undefined
    node.keys.splice(place + 1, 0, firstKey(split))
    node.children.splice(place + 1, 0, split)
    return this.#split(node)
  }

  #split(node: Node<Key, Value>): Node<Key, Value> | undefined {
    if (node.keys.length <= nodeSize) return undefined
    // Keys often come in order: then a full node stays full, and the new one starts almost empty.
    const middle = nodeSize >> 1
    return {
      owner: this.#owner,
      keys: node.keys.splice(middle),
      values: node.values.splice(middle),
      children: node.children?.splice(middle),
    }
  }

  /** Removes a key that is there below an owned node. A node may become small; it goes only when it is empty. */
  #remove(node: Node<Key, Value>, key: Key): void {
    if (!node.children) {
      const place = this.#place(node, key)
      node.keys.splice(place, 1)
      node.values.splice(place, 1)
      return
    }
    const place = this.#child(node, key)
    const child = this.#ownChild(node, place)
    this.#remove(child, key)
    if (child.keys.length > 0) node.keys[place] = firstKey(child)
    else {
      node.keys.splice(place, 1)
      node.children.splice(place, 1)
    }
  }
}

interface Node<Key, Value> {
  readonly owner: object
  /** In a leaf its keys; in a branch the first key below each child. */
  readonly keys: Key[]
  readonly values: Value[]
  readonly children: Node<Key, Value>[] | undefined
}

const nodeSize = 32

function firstKey<Key>(node: { readonly keys: readonly Key[] }): Key {
  return node.keys[0]!
}
