import { partsOf } from '../../model/preview.ts'

const MAX_LENGTH = 2000

/** A text as it will be read, its variables tinted where their values will stand. */
export const CardText = ({ text }: { readonly text: string }) => (
  <>
    {partsOf(text, MAX_LENGTH).map((part, index) => {
      const key = `${index}${part.text}`
      return part.kind === 'variable' ? <mark key={key}>{part.text}</mark> : <span key={key}>{part.text}</span>
    })}
  </>
)
