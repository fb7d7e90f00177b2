import { resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { Edits, type FileAccess, lockFiles, type Section } from './edits.js'
import type { Kubeconfig, Stanza, Stanzas } from './kubeconfig.js'
import { loadKubeconfig, type Sources } from './sources.js'

export interface ModifyOptions {
  /** New and changed paths are absolute. Those below the folder of their file are written relative to it. */
  readonly relativePaths?: boolean
}

interface Difference {
  readonly before: Kubeconfig
  readonly after: Kubeconfig
  readonly sources: Sources
  /** The file for new entries. */
  readonly defaultFile: string
}

/**
 * Changes each entry in the file that contains it; new entries and the current context go to the default file. `change` sees paths as they
 * are in the files. The `.lock` files exclude other writers. Each file is written completely or not at all.
 */
export async function modifyKubeconfig(
  host: FileAccess,
  sources: Sources,
  change: (config: Kubeconfig) => Kubeconfig,
  { relativePaths = false }: ModifyOptions = {},
): Promise<void> {
  const lock = await lockFiles(host, sources.files)
  try {
    // An explicitly named file may not exist yet.
    const before = await loadKubeconfig(host, { ...sources, isExplicit: false }, { absolutePaths: false })
    const defaultFile = await defaultKubeconfigFile(host, sources)
    const difference = { before, after: change(before), sources, defaultFile }
    const edits = new Edits(host, relativePaths)
    for (const section of ['clusters', 'users', 'contexts'] as const) await editStanzas(edits, section, difference)
    await editCurrentContext(edits, difference)
    await editPreferences(edits, difference)
    await edits.write()
  } finally {
    await lock.release()
  }
}

/** The file for new entries: the explicitly named file; the first existing file of a list, or the last one if none exists. */
export async function defaultKubeconfigFile(
  { files, workingDirectory }: FileAccess,
  sources: Sources,
): Promise<string> {
  for (const file of sources.files) if (await files.exists(resolve(workingDirectory, file))) return file
  return sources.files.at(-1)!
}

async function editStanzas(edits: Edits, section: Section, { before, after, defaultFile }: Difference): Promise<void> {
  const old: Stanzas<object> = before[section]
  const wanted: Stanzas<object> = after[section]
  for (const [name, stanza] of wanted) {
    if (isDeepStrictEqual(stanza, old.get(name))) continue
    const file = stanza.file ?? defaultFile
    const settings = edits.settings(section, stanza.settings, file)
    await edits.change(file, (config) => withStanza(config, section, [name, { settings, file }]))
  }
  for (const [name, { file = defaultFile }] of old)
    if (!wanted.has(name)) await edits.change(file, (config) => withStanza(config, section, [name, undefined]))
}

function withStanza(config: Kubeconfig, section: Section, [name, stanza]: [string, Stanza<object> | undefined]) {
  const stanzas = new Map<string, Stanza<object>>(config[section])
  if (stanza) stanzas.set(name, stanza)
  else stanzas.delete(name)
  return { ...config, [section]: stanzas }
}

/** Unsetting removes the current context from the file that contains it. */
async function editCurrentContext(edits: Edits, { before, after, sources, defaultFile }: Difference): Promise<void> {
  const name = after['current-context']
  if (before['current-context'] === name) return
  const saying = name === '' ? await firstFile(edits, sources, (config) => config['current-context'] !== '') : undefined
  await edits.change(saying ?? defaultFile, (config) => ({ ...config, 'current-context': name }))
}

async function editPreferences(edits: Edits, { before, after, sources }: Difference): Promise<void> {
  const { preferences } = after
  if (isDeepStrictEqual(before.preferences, preferences)) return
  const file = await firstFile(edits, sources, (config) => !isDeepStrictEqual(config.preferences, preferences))
  if (file !== undefined) await edits.change(file, (config) => ({ ...config, preferences }))
}

async function firstFile(edits: Edits, { files }: Sources, matches: (config: Kubeconfig) => boolean) {
  for (const file of files) if (matches(await edits.read(file))) return file
  return undefined
}
