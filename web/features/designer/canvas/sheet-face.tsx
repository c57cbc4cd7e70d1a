import type { NodeModel } from '#domain/flow/document/model.ts'
import { type Inline, parseRich } from '#domain/flow/text/rich-text.ts'
import { type ChatRun, chatRuns } from '../model/chat-format.ts'
import type { Translate } from '../model/label.ts'
import { shownTitle } from '../model/look.ts'

const TAGS = { bold: 'b', italic: 'i', struck: 's' } as const

const Formatted = ({ run: { text, formats } }: { readonly run: ChatRun }) => {
  const [format, ...inner] = formats
  if (format === undefined) return text
  const Tag = TAGS[format]
  return (
    <Tag>
      <Formatted run={{ text, formats: inner }} />
    </Tag>
  )
}

const Run = ({ part }: { readonly part: Inline }) => {
  if ('variable' in part) return <mark>{part.variable}</mark>
  // biome-ignore lint/suspicious/noArrayIndexKey: runs of one text
  const text = chatRuns(part.text).map((run, at) => <Formatted key={at} run={run} />)
  const underlined = part.underline ? <u>{text}</u> : text
  const italic = part.italic ? <i>{underlined}</i> : underlined
  return part.bold ? <b>{italic}</b> : <span>{italic}</span>
}

/** A note's text, line by line. */
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
