import { expect, test } from 'vitest'
import { systemOf } from './system.ts'

/** Properties that browsers animate without layout or paint. */
const FREE: ReadonlySet<string> = new Set(['translate', 'scale', 'rotate', 'opacity'])

test.each(['parley-run', 'parley-drift', 'parley-drift-back'])('%s repeats endlessly and costs no frame', name => {
  const steps: object[] = Object.values(systemOf('production')._config.theme?.keyframes?.[name] ?? {})
  expect(steps).not.toHaveLength(0)
  expect(steps.flatMap(step => Object.keys(step)).filter(property => !FREE.has(property))).toEqual([])
})
