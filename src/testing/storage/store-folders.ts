/** Folders and small disks for the tests of this folder, gone when the test is over. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { openEmbeddedStore } from '../../storage/embedded/embedded-store.js'

export function temporaryStoreFolder(context: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'proa-store-'))
  context.after(() => rmSync(path, { recursive: true, force: true }))
  return path
}

/** A folder with a closed store of some size: branches in its trees, values in pages of their own, leases and history. */
export async function filledStoreFolder(context: TestContext): Promise<string> {
  const directory = temporaryStoreFolder(context)
  const store = await openEmbeddedStore({ directory })
  const lease = (await store.grantLease(600)).id
  for (let i = 0; i < 20; i++)
    await store.transact({
      changes: Array.from({ length: 60 }, (_, k) => ({
        type: 'put',
        key: `/registry/things/${k * 7}-${i % 10}`,
        value: Buffer.alloc(20 + ((i * 61 + k) % 40) * 100, 'x'),
        ...(k === 0 && { lease }),
      })),
    })
  await store.close()
  return directory
}

/** Every file with its bytes and time of change, without those that come and go with a process. */
export function folderContents(directory: string): Record<string, string> {
  const files = readdirSync(directory).filter((file) => file !== 'holder.json')
  return Object.fromEntries(
    files.map((file) => {
      const path = join(directory, file)
      return [file, `${statSync(path).mtimeMs} ${readFileSync(path).toString('base64')}`]
    }),
  )
}

/** A file system of its own, so small that it fills up; needs root. */
export function smallDisk(context: TestContext, size: string): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) {
    context.skip('needs root on Linux to mount a small file system')
    return undefined
  }
  const disk = mkdtempSync(join(tmpdir(), 'proa-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', disk], { stdio: 'pipe' })
  } catch (error) {
    context.skip(`may not mount a small file system here: ${(error as Error).message}`)
    return undefined
  }
  context.after(() => {
    execFileSync('umount', ['--lazy', disk])
    rmSync(disk, { recursive: true })
  })
  return disk
}
