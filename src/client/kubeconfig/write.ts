import { resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { Edits, type FileAccess, lockFiles, type Section } from './edits.js'
import type { Kubeconfig, Stanza, Stanzas } from './kubeconfig.js'
import { loadKubeconfig, type Sources } from './sources.js'

export interface ModifyOptions {
  /** New and changed paths are absolute, and are written relative to their file where they lie below its folder. */
  readonly relativePaths?: boolean
}

interface Difference {
  readonly before: Kubeconfig
  readonly after: Kubeconfig
  readonly sources: Sources
  /** Where new things go. */
  readonly defaultFile: string
}

/**
 * Changes the configuration where each part of it comes from: a stanza in its own file, a new one and the current context in the
 * default file. `change` sees paths as they stand in the files. Nobody else who asks for the `.lock` files can write meanwhile, and
 * each file is written whole or not at all.
 */
export async function modifyKubeconfig(
  host: FileAccess,
  sources: Sources,
  change: (config: Kubeconfig) => Kubeconfig,
  { relativePaths = false }: ModifyOptions = {},
): Promise<void> {
  const lock = await lockFiles(host, sources.files)
  try {
    // A file that was named by hand and is not there yet is about to be made.
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

/** Where new things go: the named file; of a list the first one that exists, or the last one where none does. */
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

/** What is to be unset is unset in the file that says it. */
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
