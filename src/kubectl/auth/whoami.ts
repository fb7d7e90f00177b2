import type { SelfSubjectReview } from '../../api/authentication/v1/self-subject-review.js'
import { hasReason } from '../../api/errors.js'
import type { JsonObject } from '../../schema/declaration.js'
import { compareText } from '../../schema/text-order.js'
import { type CommandContext, command } from '../command.js'
import { printTypedJson } from '../printers/json.js'
import { objectPrinter, outputFlags } from '../printers/output.js'
import { TabWriter } from '../printers/tab-writer.js'

type WhoamiContext = CommandContext<typeof outputFlags>

export const whoami = command({
  usage: '[options]',
  about: 'Show the name, groups and other attributes of the user as the server sees them.',
  examples: ['kubectl auth whoami', 'kubectl auth whoami -o yaml'],
  flags: outputFlags,
  async run(call: WhoamiContext) {
    const { flags, factory, out } = call
    const print = flags.output === 'json' ? printTypedJson : await objectPrinter(factory, flags)
    const review = await reviewOf(call)
    await out(print ? print(review as unknown as JsonObject) : table(review))
  },
})

async function reviewOf({ factory }: WhoamiContext): Promise<SelfSubjectReview> {
  const identity = { kind: 'SelfSubjectReview', apiVersion: 'authentication.k8s.io/v1' }
  const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews'
  try {
    const review = await (await factory.rest()).json<SelfSubjectReview>({ method: 'POST', path, body: identity })
    return { ...identity, ...review }
  } catch (error) {
    if (hasReason(error, 'NotFound'))
      throw new Error('the selfsubjectreviews API is not enabled in the cluster', { cause: error })
    throw error
  }
}

function table({ status }: SelfSubjectReview): string {
  const { username = '', uid = '', groups = [], extra = {} } = status.userInfo ?? {}
  const writer = new TabWriter()
  writer.line(['ATTRIBUTE', 'VALUE'])
  if (username !== '') writer.line(['Username', username])
  if (uid !== '') writer.line(['UID', uid])
  if (groups.length > 0) writer.line(['Groups', `[${groups.join(' ')}]`])
  for (const key of Object.keys(extra).sort(compareText)) writer.line([`Extra: ${key}`, `[${extra[key]!.join(' ')}]`])
  return writer.flush()
}
