import { Button, chakra } from '@chakra-ui/react'
import { ChevronRight, Copy } from 'lucide-react'
import { type DragEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PathParserName } from '#domain/expression/engine.ts'
import type { Json } from '#schemas/event.ts'
import { useCopy } from '#web/notice/use-copy.ts'
import { memberPath, pathOf, type Steps } from './path-of.ts'

type Entry = readonly [step: string | number, value: Json]

const entriesOf = (value: Json): readonly Entry[] | undefined => {
  if (typeof value !== 'object' || value === null) return undefined
  return Array.isArray(value) ? value.map((item: Json, place): Entry => [place, item]) : Object.entries(value)
}

/** Per object or list; more are shown on request. */
const MAX_SHOWN = 50
const OPEN_DEPTH = 2

const kindOf = (value: Json): string => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value)

const wordsOf = (value: Json): string => {
  if (Array.isArray(value)) return `[${value.length}]`
  if (typeof value === 'object' && value !== null) return `{${Object.keys(value).length}}`
  return JSON.stringify(value)
}

interface BranchProps {
  readonly step: string | number
  readonly value: Json
  readonly steps: Steps
  readonly chosen: string | undefined
  readonly choose: (steps: Steps) => void
  readonly variable: string
}

/** Begins to drag a place in the value of a variable, as text for any field. */
export const dragPath = (event: DragEvent, path: string | undefined) => {
  if (path === undefined) return event.preventDefault()
  event.dataTransfer.effectAllowed = 'copy'
  event.dataTransfer.setData('text/plain', `{{${path}}}`)
}

const Branch = ({ step, value, steps, chosen, choose, variable }: BranchProps) => {
  const { t } = useTranslation('designer')
  const entries = entriesOf(value)
  const [isOpen, setOpen] = useState(steps.length <= OPEN_DEPTH)
  const [most, setMost] = useState(MAX_SHOWN)
  const place = JSON.stringify(steps)
  return (
    <li>
      <div className="pl-tree-row">
        {entries === undefined || entries.length === 0 ? (
          <span className="pl-tree-turn" />
        ) : (
          <button
            type="button"
            className="pl-tree-turn"
            aria-expanded={isOpen}
            aria-label={String(step)}
            onClick={() => setOpen(!isOpen)}
          >
            <ChevronRight size={12} aria-hidden />
          </button>
        )}
        <button
          type="button"
          className="pl-tree-value"
          aria-pressed={chosen === place}
          onClick={() => choose(steps)}
          draggable={variable !== ''}
          onDragStart={event => dragPath(event, memberPath(variable, steps))}
        >
          <span>{step}</span> <b data-kind={kindOf(value)}>{wordsOf(value)}</b>
        </button>
      </div>
      {isOpen && entries !== undefined && entries.length > 0 ? (
        <ul>
          {entries.slice(0, most).map(([name, member]) => (
            <Branch key={name} step={name} value={member} steps={[...steps, name]} {...{ chosen, choose, variable }} />
          ))}
          {entries.length > most ? (
            <li>
              <button type="button" className="pl-open" onClick={() => setMost(most + MAX_SHOWN)}>
                {t('try.more', { count: entries.length - most })}
              </button>
            </li>
          ) : null}
        </ul>
      ) : null}
    </li>
  )
}

interface JsonTreeProps {
  readonly label: string
  readonly value: Json
  readonly parser: PathParserName
  /** Takes the path of what was clicked, where there is a field for one. */
  readonly onUse?: ((path: string) => void) | undefined
  /** The variable that takes the value: places in it can be dragged into fields. */
  readonly variable?: string
}

/** A value as a tree; a click on any part of it makes the path that leads there. */
export const JsonTree = ({ label, value, parser, onUse, variable = '' }: JsonTreeProps) => {
  const { t } = useTranslation('designer')
  const [chosen, choose] = useState<Steps>()
  const path = chosen === undefined ? undefined : pathOf(chosen, parser)
  const copy = useCopy()
  return (
    <>
      <section className="pl-tree" aria-label={label}>
        <ul>
          <Branch
            step="$"
            value={value}
            steps={[]}
            chosen={chosen === undefined ? undefined : JSON.stringify(chosen)}
            choose={choose}
            variable={variable}
          />
        </ul>
      </section>
      <div className="pl-tree-path" role="status">
        {path === undefined ? (
          <chakra.span fontSize="2xs" color="fg.subtle">
            {t('try.click')}
          </chakra.span>
        ) : (
          <>
            <code>{path}</code>
            {onUse === undefined ? null : (
              <Button size="xs" variant="subtle" onClick={() => onUse(path)}>
                {t('try.use')}
              </Button>
            )}
            <Button
              size="xs"
              variant="ghost"
              px="1"
              aria-label={t('try.copy')}
              title={t('try.copy')}
              onClick={() => void copy(path, t('try.copied'))}
            >
              <Copy size={14} aria-hidden />
            </Button>
          </>
        )}
      </div>
    </>
  )
}
