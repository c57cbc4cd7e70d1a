import type { NodeModel } from '#domain/flow/model.ts'
import { type Inline, parseRich } from '#domain/flow/rich-text.ts'
import type { Translate } from '../model/label.ts'
import { shownTitle } from '../model/look.ts'

const Run = ({ part }: { readonly part: Inline }) => {
  if ('variable' in part) return <mark>{part.variable}</mark>
  const underlined = part.underline ? <u>{part.text}</u> : part.text
  const italic = part.italic ? <i>{underlined}</i> : underlined
  return part.bold ? <b>{italic}</b> : <span>{italic}</span>
}

/** A note: what somebody wrote, line by line. */
export const SheetFace = ({ node, t }: { readonly node: NodeModel; readonly t: Translate }) => {
  const text = typeof node.properties.text === 'string' ? node.properties.text : ''
  const title = shownTitle(node, t)
  if (text.trim() === '' && !title.own)
    return (
      <p className="pl-sheet-text" data-empty>
        {t(`block:description.${node.type}`)}
      </p>
    )
  return (
    <div className="pl-sheet-text">
      {title.own ? <p className="pl-sheet-title">{title.text}</p> : null}
      {parseRich(text).map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines of one text
        <p key={at}>
          {line.map((part, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: parts of one line
            <Run key={index} part={part} />
          ))}
        </p>
      ))}
    </div>
  )
}
