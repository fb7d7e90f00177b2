import { closeSync, fstatSync, readSync } from 'node:fs'
import { openRegularFile } from '../../base/regular-file.js'
import type { CriContainerStatus } from '../../cri/interface/container.js'
import { parseContainerAnnotations } from './labels.js'

const longestMessage = 4096
const longestFromLog = 2048
const linesFromLog = 80
/** Bytes read from the end of a log. They hold at least as many lines or bytes as are shown, because no log line is longer than 16 KiB. */
const readFromLog = 64 * 1024

/** Returns the termination message of an exited container: its message file, or the end of its log if its policy says so. */
export function terminationMessage(status: CriContainerStatus): string {
  const { terminationMessagePath: path, terminationMessagePolicy: policy } = parseContainerAnnotations(
    status.annotations,
  )
  const written = fromFile(status, path)
  if (written !== '' || policy !== 'FallbackToLogsOnError' || status.exitCode === 0) return written
  return status.reason === 'ContainerCannotRun' ? '' : fromLog(status.logPath)
}

/** Reads the last file that is mounted at the path. It belongs to the kubelet, not to a volume. */
function fromFile({ mounts }: CriContainerStatus, path: string): string {
  const mount = path === '' ? undefined : mounts.findLast(({ containerPath }) => containerPath === path)
  if (!mount) return ''
  try {
    return readEnd(mount.hostPath, longestMessage).toString()
  } catch (error) {
    if (isMissing(error)) return ''
    return `Error on reading termination log ${mount.hostPath}: ${(error as Error).message}`
  }
}

function fromLog(path: string): string {
  try {
    return lastOutput(readEnd(path, readFromLog).toString())
  } catch (error) {
    if (isMissing(error)) return ''
    return `Error on reading termination message from logs: ${(error as Error).message}`
  }
}

/** Returns the last output in a CRI log, of which the first line may be incomplete. */
export function lastOutput(log: string): string {
  const lines = log.split('\n').filter((line) => line !== '')
  const output = lines.slice(-linesFromLog).flatMap((line) => {
    const match = /^\S+ (?:stdout|stderr) (F|P)\S* ?(.*)$/s.exec(line)
    return match ? [match[1] === 'F' ? `${match[2]}\n` : match[2]!] : []
  })
  return Buffer.from(output.join('')).subarray(-longestFromLog).toString()
}

/** Reads synchronously: the file is small and was just written. */
function readEnd(path: string, length: number): Buffer {
  const file = openRegularFile(path)
  try {
    const { size } = fstatSync(file)
    const end = Buffer.alloc(Math.min(size, length))
    return end.subarray(0, readSync(file, end, 0, end.length, size - end.length))
  } finally {
    closeSync(file)
  }
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT'
}
