import { isAbsolute } from 'node:path'
import type { Container } from '../../api/core/v1/container.js'
import type { Device } from '../../cri/interface/container.js'
import type { Draft } from '../../cri/interface/message.js'
import { quote } from '../../schema/quote.js'
import type { MountedVolumes } from '../volumes/volumes.js'

/** Volumes that a container uses as devices. Throws in upstream's words. */
export function volumeDevices(container: Container, volumes: MountedVolumes): readonly Draft<Device>[] {
  return (container.volumeDevices ?? []).map(({ name, devicePath }) => {
    if (!isAbsolute(devicePath)) throw new Error(`error DevicePath \`${devicePath}\` must be an absolute path`)
    const volume = volumes.get(name)
    if (!volume) throw new Error(`cannot find volume ${quote(name)} to pass into container ${quote(container.name)}`)
    return { containerPath: devicePath, hostPath: volume.path, permissions: volume.isReadOnly ? 'r' : 'mrw' }
  })
}
