import { formatDuration, fromMilliseconds } from '../../base/duration.js'
import type { EventRecorder } from '../../client/events/event-recorder.js'
import { quote } from '../../schema/quote.js'
import type { ImageRequest } from './images.js'
import type { Pulled } from './pulls.js'

/** Records events about images with upstream's messages. Each method returns its message. */
export class ImageEvents {
  readonly #events: EventRecorder

  constructor(events: EventRecorder) {
    this.#events = events
  }

  recordPresent(request: ImageRequest): string {
    const message = `Container image ${nameIn(request)} already present on machine and can be accessed by the pod`
    return this.#normal(request, 'Pulled', message)
  }

  recordNeverPull(request: ImageRequest): string {
    const message = `Container image ${nameIn(request)} is not present with pull policy of Never`
    return this.#warning(request, 'ErrImageNeverPull', message)
  }

  recordInvalidName(request: ImageRequest, problem: string): string {
    const message = `Failed to apply default image tag ${nameIn(request)}: ${problem}`
    return this.#warning(request, 'InspectFailed', message)
  }

  /** Upstream leaves the image name empty here. */
  recordInspectFailed(request: ImageRequest, problem: string): string {
    return this.#warning(request, 'InspectFailed', `Failed to inspect image "": ${problem}`)
  }

  recordBackOff(request: ImageRequest): string {
    return this.#normal(request, 'BackOff', `Back-off pulling image ${nameIn(request)}`)
  }

  recordPulling(request: ImageRequest): string {
    return this.#normal(request, 'Pulling', `Pulling image ${nameIn(request)}`)
  }

  /** `whole` is the duration in milliseconds, including the wait. */
  recordPulled(request: ImageRequest, { duration, image }: Pulled, whole: number): string {
    const times = `${timeText(duration)} (${timeText(whole)} including waiting)`
    const message = `Successfully pulled image ${nameIn(request)} in ${times}. Image size: ${image?.size ?? 0} bytes.`
    return this.#normal(request, 'Pulled', message)
  }

  recordPullFailed(request: ImageRequest, problem: string): string {
    return this.#warning(request, 'Failed', `Failed to pull image ${nameIn(request)}: ${problem}`)
  }

  /** Recorded with every failure, in addition to the specific event. */
  recordFailed(request: ImageRequest, reason: string): string {
    return this.#warning(request, 'Failed', `Error: ${reason}`)
  }

  #normal({ pod, fieldPath }: ImageRequest, reason: string, message: string): string {
    this.#events.record({ about: pod, fieldPath, type: 'Normal', reason, message })
    return message
  }

  #warning({ pod, fieldPath }: ImageRequest, reason: string, message: string): string {
    this.#events.record({ about: pod, fieldPath, type: 'Warning', reason, message })
    return message
  }
}

function nameIn({ container }: ImageRequest): string {
  return quote(container.image ?? '')
}

function timeText(milliseconds: number): string {
  return formatDuration(fromMilliseconds(Math.trunc(milliseconds)))
}
