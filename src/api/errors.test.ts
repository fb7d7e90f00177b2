import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as field from '../schema/field-errors.js'
import { fieldPath } from '../schema/field-path.js'
import * as errors from './errors.js'
import { cause } from './failure.js'
import { serverResponse } from './server-response.js'

const pods = { group: '', resource: 'pods' }
const deployments = { group: 'apps', resource: 'deployments' }

/** Compares bytes, because some clients compare whole bodies. */
function sent(error: errors.ApiError, expected: string): void {
  const start = '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure",'
  assert.equal(JSON.stringify(error.status()), `${start}${expected}}`)
}

describe('errors are sent as Kubernetes sends them', () => {
  test('for objects that do not exist, or already exist', () => {
    sent(
      errors.notFound(pods, 'none'),
      '"message":"pods \\"none\\" not found","reason":"NotFound","details":{"name":"none","kind":"pods"},"code":404',
    )
    sent(
      errors.notFound(deployments, 'none'),
      '"message":"deployments.apps \\"none\\" not found","reason":"NotFound","details":{"name":"none","group":"apps","kind":"deployments"},"code":404',
    )
    sent(
      errors.alreadyExists({ group: '', resource: 'configmaps' }, 'fixed'),
      '"message":"configmaps \\"fixed\\" already exists","reason":"AlreadyExists","details":{"name":"fixed","kind":"configmaps"},"code":409',
    )
    sent(
      errors.stillBeingDeleted({ group: '', resource: 'configmaps' }, 'a'),
      '"message":"object is being deleted: configmaps \\"a\\" already exists","reason":"AlreadyExists","details":{"name":"a","kind":"configmaps"},"code":409',
    )
    sent(
      errors.generateNameConflict(pods, 'web-x', 1),
      '"message":"pods \\"web-x\\" already exists, the server was not able to generate a unique name for the object","reason":"AlreadyExists","details":{"name":"web-x","kind":"pods","retryAfterSeconds":1},"code":409',
    )
  })

  test('for authentication and authorization', () => {
    sent(errors.unauthorized(), '"message":"Unauthorized","reason":"Unauthorized","code":401')
    sent(
      errors.forbidden(undefined, '', 'User "system:anonymous" cannot get path "/api"'),
      '"message":"forbidden: User \\"system:anonymous\\" cannot get path \\"/api\\"","reason":"Forbidden","details":{},"code":403',
    )
    sent(
      errors.forbidden(
        deployments,
        '',
        'User "alice" cannot watch resource "deployments" in API group "apps" at the cluster scope',
      ),
      '"message":"deployments.apps is forbidden: User \\"alice\\" cannot watch resource \\"deployments\\" in API group \\"apps\\" at the cluster scope","reason":"Forbidden","details":{"group":"apps","kind":"deployments"},"code":403',
    )
    sent(
      errors.forbidden(pods, 'greedy', 'maximum cpu usage per Container is 2, but limit is 3'),
      '"message":"pods \\"greedy\\" is forbidden: maximum cpu usage per Container is 2, but limit is 3","reason":"Forbidden","details":{"name":"greedy","kind":"pods"},"code":403',
    )
    sent(
      errors.forbidden(
        deployments,
        'web',
        'unable to create new content in namespace a because it is being terminated',
        [cause('NamespaceTerminating', 'namespace a is being terminated', 'metadata.namespace')],
      ),
      '"message":"deployments.apps \\"web\\" is forbidden: unable to create new content in namespace a because it is being terminated","reason":"Forbidden","details":{"name":"web","group":"apps","kind":"deployments","causes":[{"reason":"NamespaceTerminating","message":"namespace a is being terminated","field":"metadata.namespace"}]},"code":403',
    )
  })

  test('for policies, which choose their reason', () =>
    sent(
      errors.withReason(
        errors.forbidden({ group: '', resource: 'configmaps' }, 'three', 'denied request: more than 2 keys', [
          cause('', 'denied request: more than 2 keys'),
        ]),
        'RequestEntityTooLarge',
      ),
      '"message":"configmaps \\"three\\" is forbidden: denied request: more than 2 keys","reason":"RequestEntityTooLarge","details":{"name":"three","kind":"configmaps","causes":[{"message":"denied request: more than 2 keys"}]},"code":413',
    ))

  test('for conflicts', () => {
    sent(
      errors.objectModified({ group: 'coordination.k8s.io', resource: 'leases' }, 'leader'),
      '"message":"Operation cannot be fulfilled on leases.coordination.k8s.io \\"leader\\": the object has been modified; please apply your changes to the latest version and try again","reason":"Conflict","details":{"name":"leader","group":"coordination.k8s.io","kind":"leases"},"code":409',
    )
    sent(
      errors.conflict({ group: 'example.com', kind: 'Tenant' }, 'a', 'the UID in the precondition (x) does not match'),
      '"message":"Operation cannot be fulfilled on Tenant.example.com \\"a\\": the UID in the precondition (x) does not match","reason":"Conflict","details":{"name":"a","group":"example.com","kind":"Tenant"},"code":409',
    )
    sent(
      errors.conflict({ group: '', resource: 'pods/binding' }, 'p', 'pod p is already assigned to node "node-7"'),
      '"message":"Operation cannot be fulfilled on pods/binding \\"p\\": pod p is already assigned to node \\"node-7\\"","reason":"Conflict","details":{"name":"p","kind":"pods/binding"},"code":409',
    )
    sent(
      errors.applyConflict('Apply failed with 1 conflict: conflict with "first": .data.one', [
        cause('FieldManagerConflict', 'conflict with "first"', '.data.one'),
      ]),
      '"message":"Apply failed with 1 conflict: conflict with \\"first\\": .data.one","reason":"Conflict","details":{"causes":[{"reason":"FieldManagerConflict","message":"conflict with \\"first\\"","field":".data.one"}]},"code":409',
    )
  })

  test('for invalid objects', () => {
    const deployment = { group: 'apps', kind: 'Deployment' }
    sent(
      errors.invalid(deployment, 'web', [
        field.invalid(fieldPath('spec', 'replicas'), -1, 'must be greater than or equal to 0'),
      ]),
      '"message":"Deployment.apps \\"web\\" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0","reason":"Invalid","details":{"name":"web","group":"apps","kind":"Deployment","causes":[{"reason":"FieldValueInvalid","message":"Invalid value: -1: must be greater than or equal to 0","field":"spec.replicas"}]},"code":422',
    )
    sent(
      errors.invalid({ group: '', kind: 'Pod' }, 'p', [
        field.required(fieldPath('spec', 'containers')),
        field.notSupported(fieldPath('spec', 'dnsPolicy'), 'Mine', ['Default', 'None']),
      ]),
      '"message":"Pod \\"p\\" is invalid: [spec.containers: Required value, spec.dnsPolicy: Unsupported value: \\"Mine\\": supported values: \\"Default\\", \\"None\\"]","reason":"Invalid","details":{"name":"p","kind":"Pod","causes":[{"reason":"FieldValueRequired","message":"Required value","field":"spec.containers"},{"reason":"FieldValueNotSupported","message":"Unsupported value: \\"Mine\\": supported values: \\"Default\\", \\"None\\"","field":"spec.dnsPolicy"}]},"code":422',
    )
    const twice = field.invalid(fieldPath('metadata', 'uid'), 'another', 'field is immutable')
    sent(
      errors.invalid({ group: '', kind: 'ConfigMap' }, 'a', [twice, twice]),
      '"message":"ConfigMap \\"a\\" is invalid: metadata.uid: Invalid value: \\"another\\": field is immutable","reason":"Invalid","details":{"name":"a","kind":"ConfigMap","causes":[{"reason":"FieldValueInvalid","message":"Invalid value: \\"another\\": field is immutable","field":"metadata.uid"},{"reason":"FieldValueInvalid","message":"Invalid value: \\"another\\": field is immutable","field":"metadata.uid"}]},"code":422',
    )
    sent(
      errors.invalid({ group: '', kind: '' }, '', [field.invalid(fieldPath('patch'), 'x', 'unrecognized type: int32')]),
      '"message":" \\"\\" is invalid: patch: Invalid value: \\"x\\": unrecognized type: int32","reason":"Invalid","details":{"causes":[{"reason":"FieldValueInvalid","message":"Invalid value: \\"x\\": unrecognized type: int32","field":"patch"}]},"code":422',
    )
    sent(
      errors.invalid(deployment, 'web', []),
      '"message":"Deployment.apps \\"web\\" is invalid","reason":"Invalid","details":{"name":"web","group":"apps","kind":"Deployment"},"code":422',
    )
  })

  test('for malformed requests', () => {
    sent(
      errors.badRequest('the name of the object (b) does not match the name on the URL (a)'),
      '"message":"the name of the object (b) does not match the name on the URL (a)","reason":"BadRequest","code":400',
    )
    sent(
      errors.methodNotAllowed(deployments, 'watch'),
      '"message":"watch is not supported on resources of kind \\"deployments.apps\\"","reason":"MethodNotAllowed","details":{"group":"apps","kind":"deployments"},"code":405',
    )
    sent(
      errors.noAcceptedMediaType(['application/json', 'application/yaml']),
      '"message":"only the following media types are accepted: application/json, application/yaml","reason":"NotAcceptable","code":406',
    )
    sent(
      errors.unsupportedMediaType(['application/json-patch+json', 'application/merge-patch+json']),
      '"message":"the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json","reason":"UnsupportedMediaType","code":415',
    )
    sent(
      errors.requestEntityTooLarge('limit is 3145728'),
      '"message":"Request entity too large: limit is 3145728","reason":"RequestEntityTooLarge","code":413',
    )
  })

  test('for revisions that are expired or not written yet', () => {
    sent(errors.gone('moved'), '"message":"moved","reason":"Gone","code":410')
    sent(
      errors.expired('too old resource version: 1 (9)'),
      '"message":"too old resource version: 1 (9)","reason":"Expired","code":410',
    )
    sent(
      errors.resourceVersionTooLarge('99', '7'),
      '"message":"Timeout: Too large resource version: 99, current: 7","reason":"Timeout","details":{"causes":[{"reason":"ResourceVersionTooLarge","message":"Too large resource version"}],"retryAfterSeconds":1},"code":504',
    )
  })

  test('for failures of the server', () => {
    sent(
      errors.tooManyRequests("Cannot evict pod as it would violate the pod's disruption budget.", 0, [
        cause('DisruptionBudget', 'The disruption budget db needs 1 healthy pods and has 1 currently'),
      ]),
      '"message":"Cannot evict pod as it would violate the pod\'s disruption budget.","reason":"TooManyRequests","details":{"causes":[{"reason":"DisruptionBudget","message":"The disruption budget db needs 1 healthy pods and has 1 currently"}]},"code":429',
    )
    sent(
      errors.tooManyRequests('storage is (re)initializing', 1),
      '"message":"storage is (re)initializing","reason":"TooManyRequests","details":{"retryAfterSeconds":1},"code":429',
    )
    sent(errors.serviceUnavailable('not ready'), '"message":"not ready","reason":"ServiceUnavailable","code":503')
    sent(
      errors.serverTimeout(deployments, 'create', 2),
      '"message":"The create operation against deployments.apps could not be completed at this time, please try again.","reason":"ServerTimeout","details":{"name":"create","group":"apps","kind":"deployments","retryAfterSeconds":2},"code":500',
    )
    sent(
      errors.internalError('out of paper'),
      '"message":"Internal error occurred: out of paper","reason":"InternalError","details":{"causes":[{"message":"out of paper"}]},"code":500',
    )
    sent(
      errors.unknown('resourceVersion should not be set on objects to be created'),
      '"message":"resourceVersion should not be set on objects to be created","code":500',
    )
  })
})

describe('responses without a Status', () => {
  test('have a message for each status code', () => {
    const cases: [code: number, method: string, reason: string, message: string][] = [
      [400, 'GET', 'BadRequest', 'the server rejected our request for an unknown reason'],
      [401, 'GET', 'Unauthorized', 'the server has asked for the client to provide credentials'],
      [403, 'GET', 'Forbidden', 'said so'],
      [404, 'GET', 'NotFound', 'the server could not find the requested resource'],
      [405, 'GET', 'MethodNotAllowed', 'the server does not allow this method on the requested resource'],
      [406, 'GET', 'NotAcceptable', 'said so'],
      [409, 'PUT', 'Conflict', 'the server reported a conflict'],
      [409, 'POST', 'AlreadyExists', 'the server reported a conflict'],
      [415, 'POST', 'UnsupportedMediaType', 'said so'],
      [418, 'GET', '', 'the server responded with the status code 418 but did not return more information'],
      [422, 'POST', 'Invalid', 'the server rejected our request due to an error in our request'],
      [429, 'GET', 'TooManyRequests', 'the server has received too many requests and has asked us to try again later'],
      [500, 'GET', 'InternalError', 'an error on the server ("said so") has prevented the request from succeeding'],
      [503, 'GET', 'ServiceUnavailable', 'the server is currently unable to handle the request'],
      [
        504,
        'GET',
        'Timeout',
        'the server was unable to return a response in the time allotted, but may still be processing the request',
      ],
    ]
    for (const [code, method, reason, message] of cases) {
      const error = serverResponse({ code, method, serverMessage: 'said so' })
      assert.deepEqual([error.code, error.reason, error.message], [code, reason, message])
      assert.deepEqual(error.status().details, {})
    }
    const untold = serverResponse({ code: 406, method: 'GET', serverMessage: 'unknown' })
    assert.equal(untold.message, 'the server was unable to respond with a content type that the client supports')
  })

  test('contain the request if it is known', () => {
    sent(
      serverResponse({ code: 404, method: 'GET', resource: pods, name: 'web' }),
      '"message":"the server could not find the requested resource (get pods web)","reason":"NotFound","details":{"name":"web","kind":"pods"},"code":404',
    )
    sent(
      serverResponse({
        code: 429,
        method: 'GET',
        resource: deployments,
        retryAfterSeconds: 3,
        serverMessage: 'slow',
        unexpected: true,
      }),
      '"message":"the server has received too many requests and has asked us to try again later (get deployments.apps)","reason":"TooManyRequests","details":{"group":"apps","kind":"deployments","causes":[{"reason":"UnexpectedServerResponse","message":"slow"}],"retryAfterSeconds":3},"code":429',
    )
  })
})

describe('an ApiError', () => {
  test('is an Error with the message of its status', () => {
    const error = errors.notFound(pods, 'web')
    assert.ok(error instanceof Error)
    assert.equal(error.message, 'pods "web" not found')
    assert.equal(error.name, 'ApiError')
    assert.deepEqual([error.reason, error.code, error.retryAfterSeconds], ['NotFound', 404, undefined])
  })

  test('is recognized by its reason, or by its code if it has no known reason', () => {
    assert.ok(errors.hasReason(errors.notFound(pods, 'web'), 'NotFound'))
    assert.ok(!errors.hasReason(errors.alreadyExists(pods, 'web'), 'Conflict'), 'both have code 409')
    const strange = new errors.ApiError({ ...errors.notFound(pods, 'web').status(), reason: 'toString' })
    assert.ok(errors.hasReason(strange, 'NotFound'))
    assert.ok(!errors.hasReason(new Error('no'), 'NotFound'))
    assert.ok(!errors.hasReason(undefined, 'NotFound'))
  })

  test('keeps the status that a client received', () => {
    const status = errors.forbidden(pods, 'web', 'no').status()
    assert.equal(new errors.ApiError(status).status(), status)
  })
})
