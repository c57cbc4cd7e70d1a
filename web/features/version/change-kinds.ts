/** Sign and colours of what happens to a thing, so that colour is never alone. */
export const LOOKS = {
  added: { sign: '+', tone: 'positive', palette: 'diff.added' },
  changed: { sign: '△', tone: 'warning', palette: 'diff.changed' },
  removed: { sign: '−', tone: 'danger', palette: 'diff.removed' },
} as const
export const PARTS = ['added', 'changed', 'removed'] as const
