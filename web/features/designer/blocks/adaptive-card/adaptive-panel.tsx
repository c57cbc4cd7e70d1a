import { chakra } from '@chakra-ui/react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { safeCard } from '#domain/flow/card/adaptive-card.ts'
import type { JsonObject } from '#schemas/event.ts'
import { Segments } from '#web/components/segments.tsx'
import { lazyModule, useLazyModule } from '#web/lazy-module.ts'
import { Field } from '../../inspector/field.tsx'
import { useForm } from '../../inspector/form-context.ts'
import { usePhone } from '../../session/use-phone.ts'
import { EmptyCardPreview } from '../card/card-preview.tsx'
import { PanelSection } from '../panel/panel-section.tsx'
import { AdaptiveBuilder } from './adaptive-builder.tsx'
import { ACTIONS, ELEMENTS } from './adaptive-element.ts'

/** The library that draws cards is larger than the inspector. */
const drawing = lazyModule(async () => (await import('./adaptive-drawing.tsx')).AdaptiveDrawing)

const isEmpty = ({ body, actions }: JsonObject) =>
  [body, actions].every(list => !Array.isArray(list) || list.length === 0)

const Drawn = () => {
  const { t } = useTranslation('designer')
  const { node } = useForm()
  const { value: Drawing } = useLazyModule(drawing)
  const { card, left } = useMemo(() => safeCard(node.properties, t('adaptive.submit')), [node, t])
  return (
    <PanelSection title={t('card.preview')}>
      {isEmpty(card) ? <EmptyCardPreview /> : Drawing === undefined ? null : <Drawing card={card} />}
      {left.length === 0 ? null : (
        <chakra.p role="status" fontSize="xs" color="warning.fg">
          {t('adaptive.leftOut', { what: left.join(', ') })}
        </chakra.p>
      )}
    </PanelSection>
  )
}

/** A card as it will look, above its elements one by one or as JSON. */
export const AdaptivePanel = () => {
  const { t } = useTranslation('designer')
  const { node } = useForm()
  const isPhone = usePhone()
  const [way, go] = useState<'parts' | 'json'>('parts')
  // Only JSON can fix a value that is not a list.
  const broken = [node.properties.body, node.properties.actions].some(held => held !== '' && !Array.isArray(held))
  const shown = broken ? 'json' : way
  if (isPhone) return <Drawn />
  return (
    <>
      <Drawn />
      <div className="pl-section">
        <Segments<'parts' | 'json'>
          label={t('adaptive.way')}
          value={shown}
          options={[
            { value: 'parts', label: t('adaptive.parts') },
            { value: 'json', label: t('adaptive.json') },
          ]}
          onChange={go}
        />
        {shown === 'parts' ? (
          <>
            <AdaptiveBuilder path={['body']} kinds={ELEMENTS} />
            <AdaptiveBuilder path={['actions']} kinds={ACTIONS} />
          </>
        ) : (
          <>
            <Field path={['body']} rows={10} />
            <Field path={['actions']} rows={5} />
          </>
        )}
      </div>
    </>
  )
}
