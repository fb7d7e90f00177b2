import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { compareSemanticVersions, parseSemanticVersion } from './semantic-version.js'

describe('semantic versions', () => {
  it('have three numbers, and may have a pre-release and a build', () => {
    for (const good of ['0.0.0', '1.2.3', '1.2.3-rc.1', '1.2.3--', '1.2.3+5.x', '1.0.0-0a.b+c'])
      assert.notEqual(parseSemanticVersion(good), undefined, good)
  })

  it('of another form are rejected', () => {
    for (const bad of ['', '1', '1.2', 'v1.2.3', '01.2.3', '1.2.3-', '1.2.3-01', '1.2.3+', '1.2.3-a..b', '1.2.3 '])
      assert.equal(parseSemanticVersion(bad), undefined, bad)
  })

  it('are in the order that semver.org gives', () => {
    const ordered = [
      '1.0.0-1',
      '1.0.0-9',
      '1.0.0-10',
      '1.0.0-alpha',
      '1.0.0-alpha.1',
      '1.0.0-beta',
      '1.0.0',
      '1.2.0',
      '10.0.0',
    ]
    const versions = ordered.map((text) => parseSemanticVersion(text)!)
    for (const [i, one] of versions.entries())
      for (const [j, other] of versions.entries())
        assert.equal(
          Math.sign(compareSemanticVersions(one, other)),
          Math.sign(i - j),
          `${ordered[i]} and ${ordered[j]}`,
        )
  })

  it('are equal if they differ only in their builds', () => {
    assert.equal(compareSemanticVersions(parseSemanticVersion('1.0.0+a')!, parseSemanticVersion('1.0.0+b')!), 0)
  })
})
