/**
 * Every key of the designer, as in the shortcut sheet. Names follow keyOf and KeyboardEvent.key, in lower case; a
 * handler must cover its whole column, which the compiler checks. `plain`: alone, at any focus; `held`: with Ctrl or
 * Cmd, prefix ⇧ with Shift; `anywhere`: in texts too; `block`: on the canvas; `alt`: with Alt; `travel`: in the
 * history. Rows without a column are handled by the browser or the surrounding page.
 */
export const DESIGNER_KEYS = [
  { id: 'palette', shown: ['Ctrl', 'K'] },
  { id: 'add', shown: ['A'], plain: ['a'] },
  { id: 'blocks', shown: ['/'], plain: ['/'] },
  { id: 'find', shown: ['Ctrl', 'F'], held: ['f'] },
  { id: 'replace', shown: ['Ctrl', 'H'], held: ['h'] },
  { id: 'search', shown: ['Ctrl', '⇧', 'F'], held: ['⇧f'] },
  { id: 'uses', shown: ['U'], plain: ['u'] },
  { id: 'tools', shown: ['V', 'H'], plain: ['v', 'h'] },
  { id: 'undo', shown: ['Ctrl', 'Z', 'Y'], held: ['z', 'y', '⇧z'] },
  { id: 'fit', shown: ['⇧1', '⇧2'], plain: ['!', '@'] },
  { id: 'follow', shown: ['F'], plain: ['f'] },
  { id: 'zoom', shown: ['+', '-', '0'], plain: ['+', '=', '-', '0'] },
  { id: 'problem', shown: ['F8'], anywhere: ['f8'] },
  { id: 'link', shown: ['L'], block: ['l'] },
  { id: 'walk', shown: ['↑', '↓', '←', '→'], block: ['arrowup', 'arrowdown', 'arrowleft', 'arrowright'] },
  { id: 'start', shown: ['Home'], block: ['home'] },
  { id: 'move', shown: ['Alt', '↑↓←→'], alt: ['arrowup', 'arrowdown', 'arrowleft', 'arrowright'] },
  { id: 'open', shown: ['Enter'], block: ['enter'] },
  { id: 'select', shown: ['Space'], block: [' '] },
  { id: 'all', shown: ['Ctrl', 'A'], held: ['a'] },
  { id: 'copy', shown: ['Ctrl', 'C', 'X', 'V', 'D'], held: ['d'] },
  { id: 'remove', shown: ['Del'], plain: ['delete', 'backspace'] },
  { id: 'group', shown: ['G'], plain: ['g'] },
  { id: 'out', shown: ['Esc'], plain: ['escape'] },
  { id: 'outline', shown: ['O'], plain: ['o'] },
  { id: 'track', shown: ['T'], plain: ['t'] },
  { id: 'comments', shown: ['C'], plain: ['c'] },
  { id: 'send', shown: ['Ctrl', 'Enter'] },
  { id: 'region', shown: ['F6', '⇧F6'], anywhere: ['f6'] },
  { id: 'compact', shown: ['D'], plain: ['d'] },
  { id: 'jumpTags', shown: ['J'], plain: ['j'] },
  { id: 'news', shown: ['M'], plain: ['m'] },
  { id: 'sheet', shown: ['?'], plain: ['?'] },
  { id: 'travel', shown: ['←', '→'], travel: ['arrowleft', 'arrowright'] },
  {
    id: 'travelSession',
    shown: ['⇧←', '⇧→', 'PgDn', 'PgUp'],
    travel: ['⇧arrowleft', '⇧arrowright', 'pagedown', 'pageup'],
  },
  { id: 'travelEnds', shown: ['Home', 'End'], travel: ['home', 'end'] },
  { id: 'travelPlay', shown: ['Space'], travel: [' '] },
  { id: 'travelLeave', shown: ['Esc'], travel: ['escape'] },
] as const

interface KeyRow {
  readonly id: string
  /** As printed on the keys. */
  readonly shown: readonly string[]
}

/** Every key of the console, by the part that has it: the one list behind the sheet. */
export const KEYS = {
  global: [
    { id: 'palette', shown: ['Ctrl', 'K'] },
    { id: 'help', shown: ['F1'] },
    { id: 'sheet', shown: ['?'] },
    { id: 'menu', shown: ['['] },
    { id: 'close', shown: ['Esc'] },
  ],
  list: [
    { id: 'new', shown: ['N'] },
    { id: 'search', shown: ['/'] },
    { id: 'open', shown: ['Enter'] },
  ],
  form: [
    { id: 'save', shown: ['Ctrl', 'S'] },
    { id: 'history', shown: ['H'] },
  ],
  designer: DESIGNER_KEYS.filter(row => !('travel' in row)),
  history: DESIGNER_KEYS.filter(row => 'travel' in row),
  desk: [
    { id: 'next', shown: ['J'] },
    { id: 'previous', shown: ['K'] },
    { id: 'open', shown: ['Enter'] },
    { id: 'answer', shown: ['R'] },
    { id: 'note', shown: ['N'] },
    { id: 'canned', shown: ['/'] },
    { id: 'take', shown: ['A'] },
    { id: 'transfer', shown: ['T'] },
    { id: 'return', shown: ['B'] },
    { id: 'snooze', shown: ['S'] },
    { id: 'close', shown: ['E'] },
    { id: 'undo', shown: ['Z'] },
    { id: 'held', shown: ['Alt', '1…9'] },
    { id: 'back', shown: ['Esc'] },
    { id: 'list', shown: ['?'] },
  ],
} as const satisfies Readonly<Record<string, readonly KeyRow[]>>

export type KeySection = keyof typeof KEYS
