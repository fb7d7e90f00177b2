import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { KindHarness } from '../../../../testing/objects/kind-harness.js'

const validating = new KindHarness('admissionregistration/v1.ValidatingWebhookConfiguration')
const mutating = new KindHarness('admissionregistration/v1.MutatingWebhookConfiguration')
const rule = { apiGroups: ['apps'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['deployments'] }
const hook = {
  name: 'check.example.com',
  admissionReviewVersions: ['v1'],
  sideEffects: 'None',
  clientConfig: { service: { namespace: 'hooks', name: 'check' } },
  rules: [rule],
}

function problemsOf(change: object, kind = validating): readonly string[] {
  return kind.create({ webhooks: [{ ...hook, ...change }] }).errors.map((text) => text.replace('webhooks[0].', ''))
}

describe('webhooks', () => {
  it('fail closed, match equivalent requests everywhere, and answer in ten seconds', () => {
    const { object, errors } = mutating.create({ webhooks: [hook] })
    assert.deepEqual(errors, [])
    const [read] = object.webhooks as [Record<string, unknown>]
    const { failurePolicy, matchPolicy, namespaceSelector, objectSelector, timeoutSeconds, reinvocationPolicy } = read
    assert.deepEqual(
      [failurePolicy, matchPolicy, timeoutSeconds, reinvocationPolicy],
      ['Fail', 'Equivalent', 10, 'Never'],
    )
    assert.deepEqual([namespaceSelector, objectSelector], [{}, {}])
    assert.deepEqual(read.rules, [{ ...rule, scope: '*' }])
    assert.deepEqual(read.clientConfig, { service: { namespace: 'hooks', name: 'check', port: 443 } })
  })

  it('have full names, each its own', () => {
    assert.deepEqual(problemsOf({ name: 'short' }), [
      'name: Invalid value: "short": should be a domain with at least three segments separated by dots',
    ])
    assert.deepEqual(validating.create({ webhooks: [hook, hook] }).errors, [
      'webhooks[1].name: Duplicate value: "check.example.com"',
    ])
  })

  it('choose among what is known', () => {
    const odd = { failurePolicy: 'Maybe', matchPolicy: 'Loose', timeoutSeconds: 31, reinvocationPolicy: 'Often' }
    assert.deepEqual(problemsOf(odd, mutating), [
      'failurePolicy: Unsupported value: "Maybe": supported values: "Fail", "Ignore"',
      'matchPolicy: Unsupported value: "Loose": supported values: "Equivalent", "Exact"',
      'timeoutSeconds: Invalid value: 31: the timeout value must be between 1 and 30 seconds',
      'reinvocationPolicy: Unsupported value: "Often": supported values: "IfNeeded", "Never"',
    ])
  })

  it('have no side effects that a dry run could not bear', () => {
    assert.deepEqual(problemsOf({ sideEffects: 'Some' }), [
      'sideEffects: Unsupported value: "Some": supported values: "None", "NoneOnDryRun"',
    ])
    assert.deepEqual(problemsOf({ sideEffects: null }), [
      'sideEffects: Required value: must specify one of None, NoneOnDryRun',
    ])
  })

  it('understand a review that is sent', () => {
    assert.deepEqual(problemsOf({ admissionReviewVersions: [] }), [
      'admissionReviewVersions: Required value: must specify one of v1, v1beta1',
    ])
    assert.deepEqual(problemsOf({ admissionReviewVersions: ['v9', 'v9'] }), [
      'admissionReviewVersions[1]: Invalid value: "v9": duplicate version',
      'admissionReviewVersions: Invalid value: ["v9","v9"]: must include at least one of v1, v1beta1',
    ])
  })

  it('are called at one place', () => {
    const problemsAt = (clientConfig: object) => problemsOf({ clientConfig })
    assert.deepEqual(problemsAt({}), ['clientConfig: Required value: exactly one of url or service is required'])
    assert.deepEqual(problemsAt({ url: 'https://a.example.com/x' }), [])
    assert.deepEqual(problemsAt({ url: 'http://u:p@a.example.com/x?y=z#f' }), [
      'clientConfig.url: Invalid value: "http": \'https\' is the only allowed URL scheme; desired format: https://host[/path]',
      'clientConfig.url: Invalid value: "u:p": user information is not permitted in the URL',
      'clientConfig.url: Invalid value: "f": fragments are not permitted in the URL',
      'clientConfig.url: Invalid value: "y=z": query parameters are not permitted in the URL',
    ])
    assert.deepEqual(problemsAt({ url: 'https:///x' }), [
      'clientConfig.url: Invalid value: "": host must be specified; desired format: https://host[/path]',
    ])
    assert.deepEqual(problemsAt({ url: 'https://a:b/' }), [
      'clientConfig.url: Required value: url must be a valid URL: parse "https://a:b/": invalid port ":b" after host; desired format: https://host[/path]',
    ])
  })

  it('are called at a good path of a service', () => {
    const problemsAt = (path: string) =>
      problemsOf({ clientConfig: { service: { namespace: 'a', name: 'b', path } } }).map((text) =>
        text.replace('clientConfig.service.path: Invalid value: ', ''),
      )
    for (const good of ['', '/', '/a', '/a/b/']) assert.deepEqual(problemsAt(good), [], good)
    assert.deepEqual(problemsAt('//'), ['"//": segment[0] may not be empty'])
    assert.deepEqual(problemsAt('/a//b'), ['"/a//b": segment[1] may not be empty'])
    assert.deepEqual(problemsAt('xa'), [`"xa": must start with a '/'`])
    assert.match(problemsAt('/A').join(), /^"\/A": segment\[0\]: a lowercase RFC 1123 subdomain/)
  })

  it('may keep what they had, on update', () => {
    const old = validating.create({ webhooks: [{ ...hook, sideEffects: 'Some', admissionReviewVersions: ['v9'] }] })
    assert.equal(old.errors.length, 2)
    assert.deepEqual(validating.update(old, { metadata: { labels: { a: 'b' } } }).errors, [])
    const good = validating.create({ webhooks: [hook] })
    assert.equal(validating.update(good, { webhooks: [{ ...hook, sideEffects: 'Some' }] }).errors.length, 1)
  })

  it('are counted, and so are their changes', () => {
    const configuration = validating.create({ webhooks: [hook] })
    assert.equal(validating.row(configuration).Webhooks, 1)
    const emptied = validating.update(configuration, { webhooks: null })
    assert.equal((emptied.object.metadata as { generation: number }).generation, 2)
    assert.equal(validating.row(emptied).Webhooks, 0)
  })
})
