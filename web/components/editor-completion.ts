import { autocompletion, type CompletionSource, closeCompletion, completionKeymap } from '@codemirror/autocomplete'
import { type Extension, Prec } from '@codemirror/state'
import { type Command, keymap } from '@codemirror/view'

/**
 * Closes the list of completions, and keeps the key for that alone. `closeCompletion` also takes a key without a list in
 * sight: after each letter sources are asked for at least 100 ms.
 */
const closeList: Command = view => {
  const isShown = view.contentDOM.hasAttribute('aria-haspopup')
  return closeCompletion(view) && isShown
}

const KEYS = completionKeymap.map(binding => (binding.key === 'Escape' ? { ...binding, run: closeList } : binding))

/** Completion from these sources, or from those of the language, with its keys. */
export const completion = (override?: readonly CompletionSource[]): Extension => [
  autocompletion({ icons: false, defaultKeymap: false, ...(override === undefined ? {} : { override }) }),
  Prec.highest(keymap.of(KEYS)),
]
