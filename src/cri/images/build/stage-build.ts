import type { TarEntry } from '../../../base/tar/writer.js'
import type { StageSettings } from '../dockerfile/settings.js'
import type { FinishedLayer, Image } from '../image.js'
import { finishLayer } from '../image-archive.js'
import { withAncestors } from './copied-entries.js'
import { FileTree } from './file-tree.js'
import { layerChanges } from './layer-changes.js'

export type StageLayer = Image['layers'][number]

/** A stage during the build: its settings, its layers, and the resulting files. */
export class StageBuild {
  settings: StageSettings
  readonly #temporary: string
  #layers: StageLayer[]
  #tree: Promise<FileTree> | undefined

  constructor(settings: StageSettings, layers: readonly StageLayer[], temporary: string) {
    this.settings = settings
    this.#layers = [...layers]
    this.#temporary = temporary
  }

  get layers(): readonly StageLayer[] {
    return this.#layers
  }

  /** The current files of the stage. The first call reads the layers of the base. */
  tree(): Promise<FileTree> {
    this.#tree ??= this.#readTree()
    return this.#tree
  }

  /** Starts another stage from this one. Its additions do not change this stage. */
  child(): StageBuild {
    const child = new StageBuild({ ...this.settings, hasCommand: false }, this.#layers, this.#temporary)
    child.#tree = this.#tree?.then((tree) => tree.copy())
    return child
  }

  async addEntries(entries: readonly TarEntry[]): Promise<void> {
    if (entries.length === 0) return
    ;(await this.tree()).apply(entries)
    this.#layers.push(entries)
  }

  async addLayer(layer: FinishedLayer): Promise<void> {
    this.#layers.push(layer)
    const tree = await this.#tree
    tree?.apply(await layerChanges(layer.content, this.#temporary))
  }

  /** Creates a directory if it is missing. */
  async addDirectory(path: string): Promise<void> {
    const tree = await this.tree()
    const resolved = tree.resolve(path)
    if (tree.isDirectory(resolved)) return
    await this.addEntries(withAncestors([{ type: 'directory', path: resolved }], { target: tree }))
  }

  /** Computes the digests of all layers, because they are written more than once. */
  async finishLayers(): Promise<readonly FinishedLayer[]> {
    const finished = await Promise.all(this.#layers.map((layer) => ('digest' in layer ? layer : finishLayer(layer))))
    this.#layers = finished
    return [...finished]
  }

  async #readTree(): Promise<FileTree> {
    const tree = new FileTree()
    for (const layer of this.#layers)
      tree.apply('digest' in layer ? await layerChanges(layer.content, this.#temporary) : layer)
    return tree
  }
}
