import { Textarea } from '@chakra-ui/react'

const MAX_ROWS = 12

/** A text to read, to scroll by keyboard and to copy from. */
export const PlainValue = ({ label, text }: { readonly label: string; readonly text: string }) => (
  <Textarea
    className="pl-value"
    readOnly
    aria-label={label}
    rows={Math.min(MAX_ROWS, text.split('\n').length)}
    fontFamily="mono"
    fontSize="xs"
    spellCheck={false}
    value={text}
  />
)
