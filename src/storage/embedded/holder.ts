import type { Clock } from '../../base/clock.js'
export class Holder {
  static async take(_directory: string, _clock: Clock): Promise<Holder> {
    return new Holder()
  }
  async release(): Promise<void> {}
}
