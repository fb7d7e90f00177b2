import { formatDuration, fromMilliseconds } from '../../base/duration.js'
import { isCriError } from '../../cri/cri-error.js'
import type { ContainerRuntime } from '../../cri/interface/services.js'
import { quote } from '../../schema/quote.js'

export interface ContainerCommand {
  readonly containerId: string
  readonly words: readonly string[]
  /** 0 for no limit. */
  readonly timeoutSeconds: number
  readonly signal?: AbortSignal | undefined
}

export interface CommandResult {
  readonly exitCode: number
  /** Standard output followed by standard error. Their order is unknown. */
  readonly output: Buffer
  readonly stderr: Buffer
}

/** The runtime killed the command after its timeout. */
export class CommandTimeoutError extends Error {
  override readonly name = 'CommandTimedOut'
}

/** Runs a command in a container to its end. Rejects with a `CommandTimeoutError` or a `CriError`. */
export async function runInContainer(
  runtime: ContainerRuntime,
  { containerId, words, timeoutSeconds, signal }: ContainerCommand,
): Promise<CommandResult> {
  const request = { containerId, cmd: words, timeout: timeoutSeconds }
  try {
    const { exitCode, stdout, stderr } = await runtime.execSync(request, { signal })
    return { exitCode, output: Buffer.concat([stdout, stderr]), stderr: Buffer.from(stderr) }
  } catch (error) {
    if (!isCriError(error, 'DeadlineExceeded')) throw error
    const time = formatDuration(fromMilliseconds(timeoutSeconds * 1000))
    const text = `command timed out: ${quote(words.join(' '))} timed out after ${time}`
    throw new CommandTimeoutError(text, { cause: error })
  }
}
