import { AdaptiveCard, ExecuteAction, HostConfig, SerializationContext, SubmitAction } from 'adaptivecards'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Json, JsonObject } from '#schemas/event.ts'

const styled = (name: string, dark = '--chakra-colors-fg') => ({
  [name]: { default: `var(${dark})`, subtle: 'var(--chakra-colors-fg-muted)' },
})

const foregroundColors = {
  ...styled('default'),
  ...styled('dark'),
  ...styled('light'),
  ...styled('accent', '--chakra-colors-accent-fg'),
  ...styled('good', '--chakra-colors-positive-fg'),
  ...styled('warning', '--chakra-colors-warning-fg'),
  ...styled('attention', '--chakra-colors-danger-fg'),
}
const container = (name: string, backgroundColor: string) => ({ [name]: { backgroundColor, foregroundColors } })

const host = new HostConfig({
  fontFamily: 'inherit',
  fontSizes: { small: 11, default: 13, medium: 14, large: 16, extraLarge: 20 },
  fontWeights: { lighter: 400, default: 400, bolder: 600 },
  spacing: { small: 4, default: 8, medium: 12, large: 16, extraLarge: 24, padding: 8 },
  separator: { lineThickness: 1, lineColor: 'var(--chakra-colors-border)' },
  supportsInteractivity: true,
  containerStyles: {
    ...container('default', 'transparent'),
    ...container('emphasis', 'var(--chakra-colors-bg-sunken)'),
    ...container('accent', 'var(--chakra-colors-info-subtle)'),
    ...container('good', 'var(--chakra-colors-positive-subtle)'),
    ...container('warning', 'var(--chakra-colors-warning-subtle)'),
    ...container('attention', 'var(--chakra-colors-danger-subtle)'),
  },
  actions: { maxActions: 10, buttonSpacing: 8, actionsOrientation: 'vertical', actionAlignment: 'stretch' },
})

// Without this the library would take up any Markdown parser that a page has, HTML included.
AdaptiveCard.onProcessMarkdown = () => {}

interface AdaptiveDrawingProps {
  readonly card: JsonObject
  /** Receives what a press sends; absent in previews, where actions do nothing. */
  readonly onSubmit?: ((data: Json) => void) | undefined
}

/** Draws a card that was cleaned before. */
export const AdaptiveDrawing = ({ card, onSubmit }: AdaptiveDrawingProps) => {
  const { t } = useTranslation('designer')
  const place = useRef<HTMLDivElement>(null)
  const [wrong, setWrong] = useState(false)
  const submit = useRef(onSubmit)
  submit.current = onSubmit
  useEffect(() => {
    const adaptive = new AdaptiveCard()
    adaptive.hostConfig = host
    adaptive.onExecuteAction = action => {
      if (action instanceof SubmitAction || action instanceof ExecuteAction)
        submit.current?.((action.data ?? {}) as unknown as Json)
    }
    try {
      adaptive.parse(card, new SerializationContext())
      const drawn = adaptive.render()
      // The container already has padding.
      if (drawn !== undefined) drawn.style.padding = '0'
      place.current?.replaceChildren(...(drawn === undefined ? [] : [drawn]))
      setWrong(drawn === undefined)
    } catch {
      place.current?.replaceChildren()
      setWrong(true)
    }
  }, [card])
  return (
    <>
      <div ref={place} className="pl-card pl-adaptive" />
      {wrong ? <p role="status">{t('card.notDrawn')}</p> : null}
    </>
  )
}
