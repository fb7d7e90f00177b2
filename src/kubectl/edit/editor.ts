import { type Files, fileError, isMissing } from '../../client/host-access.js'
import { quote } from '../../schema/quote.js'
import type { KubectlEnvironment } from '../environment.js'

/** An edited file and its content. */
export interface EditedFile {
  readonly path: string
  readonly text: string
}

/** Opens a text in an editor, in a temporary file. The caller removes the file. */
export async function editText(
  { host, files: folders, runInForeground: foreground }: KubectlEnvironment,
  text: string,
  suffix: string,
): Promise<EditedFile> {
  const path = await folders.temporaryFile({ prefix: 'kubectl-edit-', suffix, content: text })
  const { words, lineOf } = editorOf(host.variables)
  const [command = '', ...args] = lineOf(path)
  const failed = new Error(`there was a problem with the editor ${quote(words.join(' '))}`)
  try {
    const code = await foreground({ command, args, variables: host.variables })
    if (code !== 0) throw failed
  } catch (error) {
    await removeUnchanged(host.files, path, text)
    if (error === failed) throw failed
    failed.cause = error
    if (!isMissing(error) || command.includes('/')) throw failed
    throw new Error(`unable to launch the editor ${quote(words.join(' '))}`, { cause: error })
  }
  return { path, text: await read(host.files, path) }
}

/** Removes a file that the user did not change. */
async function removeUnchanged(files: Files, path: string, text: string): Promise<void> {
  if ((await files.exists(path)) && (await files.read(path)) === text) await files.remove(path)
}

async function read(files: Files, path: string): Promise<string> {
  return files.read(path).catch((error: unknown) => {
    throw fileError('open', path, error)
  })
}

interface Editor {
  /** The words of the command, for messages. */
  readonly words: readonly string[]
  readonly lineOf: (path: string) => readonly string[]
}

/** Splits the editor variable at spaces. With quotes in it, a shell runs the line. */
function editorOf({ KUBE_EDITOR, EDITOR, SHELL }: KubectlEnvironment['host']['variables']): Editor {
  const chosen = KUBE_EDITOR || EDITOR || 'vi'
  if (!(chosen.includes(' ') && /["'\\]/.test(chosen))) {
    const words = chosen.split(' ')
    return { words, lineOf: (path) => [...words, path] }
  }
  const shell = [SHELL || '/bin/bash', '-c']
  return { words: [...shell, chosen], lineOf: (path) => [...shell, `${chosen} ${quote(path)}`] }
}
