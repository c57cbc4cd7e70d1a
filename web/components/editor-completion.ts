import { autocompletion, type CompletionSource, closeCompletion, completionKeymap } from '@codemirror/autocomplete'
import { type Extension, Prec } from '@codemirror/state'
import { type Command, keymap } from '@codemirror/view'

/**
 * Closes the list of completions. Without a visible list the editor leaves the key to the page: `closeCompletion` also
 * takes it while a source works, which begins with each letter and lasts at least 100 ms.
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
