import { type Image, thisArchitecture } from './image.js'
import { pauseProgram } from './pause-program.js'

/**
 * The image of every sandbox. Its name has this machine as its registry, so that a runtime that has lost it does not go and ask
 * a stranger for it.
 */
export const pauseImageName = 'localhost/proa/pause:1'

/** Made on the spot, from nothing: no network and no compiler is needed. It runs as nobody. */
export function pauseImage(architecture = thisArchitecture()): Image {
  return {
    names: [pauseImageName],
    architecture,
    config: { Entrypoint: ['/pause'], User: '65535:65535' },
    layers: [[{ type: 'file', path: 'pause', mode: 0o755, content: pauseProgram(architecture) }]],
  }
}
