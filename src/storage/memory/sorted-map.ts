/**
 * A sorted map that can be copied in constant time: copies share their nodes, and a write to a shared node copies the node (a B+ tree with
 * copy on write).
 */
export class SortedMap<Key, Value> {
  readonly #compare: (a: Key, b: Key) => number
  #root: Node<Key, Value>
  /** Nodes with this token belong to this map alone. */
  #owner: object

  constructor(compare: (a: Key, b: Key) => number, root?: Node<Key, Value>) {
    this.#compare = compare
    this.#owner = {}
    this.#root = root ?? { owner: this.#owner, keys: [], values: [], children: undefined }
  }

  /** Returns an independent copy. Neither map owns the shared nodes any more. */
  copy(): SortedMap<Key, Value> {
    this.#owner = {}
    return new SortedMap(this.#compare, this.#root)
  }

  get(key: Key): Value | undefined {
    let node = this.#root
    while (node.children) node = node.children[this.#child(node, key)]!
    const index = this.#indexOf(node, key)
    return index < node.keys.length && this.#compare(node.keys[index]!, key) === 0 ? node.values[index] : undefined
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

  /** Yields the entries from `start` on, in order. Do not change the map meanwhile: iterate over a copy. */
  *from(start: Key): IterableIterator<readonly [Key, Value]> {
    yield* this.#walk(this.#root, start)
  }

  *#walk(node: Node<Key, Value>, start: Key): IterableIterator<readonly [Key, Value]> {
    if (node.children) {
      let index = this.#child(node, start)
      yield* this.#walk(node.children[index]!, start)
      for (index++; index < node.children.length; index++) yield* this.#walk(node.children[index]!, start)
    } else
      for (let index = this.#indexOf(node, start); index < node.keys.length; index++)
        yield [node.keys[index]!, node.values[index]!]
  }

  /** Returns the index of the first key that is not less than `key`. */
  #indexOf({ keys }: Node<Key, Value>, key: Key): number {
    let low = 0
    let high = keys.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#compare(keys[middle]!, key) < 0) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Returns the index of the child that has the key, or would have it. */
  #child(node: Node<Key, Value>, key: Key): number {
    const index = this.#indexOf(node, key)
    const exact = index < node.keys.length && this.#compare(node.keys[index]!, key) === 0
    return exact ? index : Math.max(0, index - 1)
  }

  #own(node: Node<Key, Value>): Node<Key, Value> {
    if (node.owner === this.#owner) return node
    const { keys, values, children } = node
    return { owner: this.#owner, keys: keys.slice(), values: values.slice(), children: children?.slice() }
  }

  #ownChild(node: Node<Key, Value>, index: number): Node<Key, Value> {
    const child = this.#own(node.children![index]!)
    node.children![index] = child
    return child
  }

  /** Inserts below an owned node. Returns the node that was split off, if any. */
  #insert(node: Node<Key, Value>, key: Key, value: Value): Node<Key, Value> | undefined {
    if (!node.children) {
      const index = this.#indexOf(node, key)
      if (index < node.keys.length && this.#compare(node.keys[index]!, key) === 0) {
        node.values[index] = value
        return undefined
      }
      node.keys.splice(index, 0, key)
      node.values.splice(index, 0, value)
      return this.#split(node)
    }
    const index = this.#child(node, key)
    const child = this.#ownChild(node, index)
    const split = this.#insert(child, key, value)
    node.keys[index] = firstKey(child)
    if (!split) return undefined
    node.keys.splice(index + 1, 0, firstKey(split))
    node.children.splice(index + 1, 0, split)
    return this.#split(node)
  }

  #split(node: Node<Key, Value>): Node<Key, Value> | undefined {
    if (node.keys.length <= nodeSize) return undefined
    // Keys often come in ascending order: then the full node stays full, and the new one starts almost empty.
    const middle = nodeSize >> 1
    return {
      owner: this.#owner,
      keys: node.keys.splice(middle),
      values: node.values.splice(middle),
      children: node.children?.splice(middle),
    }
  }

  /** Removes an existing key below an owned node. A node is removed only when it is empty. */
  #remove(node: Node<Key, Value>, key: Key): void {
    if (!node.children) {
      const index = this.#indexOf(node, key)
      node.keys.splice(index, 1)
      node.values.splice(index, 1)
      return
    }
    const index = this.#child(node, key)
    const child = this.#ownChild(node, index)
    this.#remove(child, key)
    if (child.keys.length > 0) node.keys[index] = firstKey(child)
    else {
      node.keys.splice(index, 1)
      node.children.splice(index, 1)
    }
  }
}

interface Node<Key, Value> {
  readonly owner: object
  /** The keys of a leaf; the first key of each child of a branch. */
  readonly keys: Key[]
  readonly values: Value[]
  readonly children: Node<Key, Value>[] | undefined
}

const nodeSize = 32

function firstKey<Key>(node: { readonly keys: readonly Key[] }): Key {
  return node.keys[0]!
}
