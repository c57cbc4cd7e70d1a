import { type ComponentType, useEffect, useMemo, useState } from 'react'
import type { PanelName } from '#schemas/block.ts'
import { CardPicture, CardPreview, EmptyCardPreview } from '../card/card-preview.tsx'
import { TryCondition } from '../condition/try-condition.tsx'
import { Choices } from '../prompt/choices.tsx'
import { ReceiptPreview } from '../receipt-card/receipt-preview.tsx'
import { TryCall } from '../rest-service/try-call.tsx'
import { NextRuns, useMinute } from '../schedule/next-runs.tsx'
import './panel.css'
import '../try-out/try.css'
import { chakra } from '@chakra-ui/react'
import { FileText, Film, Image, ImageOff, ShoppingBag } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Outcome } from '#domain/expression/engine.ts'
import { isPathRule } from '#domain/expression/template-check.ts'
import { safeCard } from '#domain/flow/card/adaptive-card.ts'
import { nextOpenings } from '#domain/flow/condition/working-hour.ts'
import { setField } from '#domain/flow/document/edit.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { isObject } from '#schemas/json.ts'
import { http } from '#web/api/http.ts'
import { Chip } from '#web/components/chip.tsx'
import { Segments } from '#web/components/segments.tsx'
import { evaluator } from '#web/expression/evaluator.ts'
import { findingMessageKey } from '#web/expression/expression-text.ts'
import { AdaptiveBuilder } from '#web/features/designer/blocks/adaptive-card/adaptive-builder.tsx'
import { ACTIONS, ELEMENTS } from '#web/features/designer/blocks/adaptive-card/adaptive-element.ts'
import { CardText } from '#web/features/designer/blocks/card/card-text.tsx'
import { itemsAt, textAt } from '#web/features/designer/blocks/card/read-card.ts'
import { RunScript } from '#web/features/designer/blocks/handler/run-script.tsx'
import { scriptParameters } from '#web/features/designer/blocks/handler/script-parameters.ts'
import { JsonTree } from '#web/features/designer/blocks/try-out/json-tree.tsx'
import { SampleFields } from '#web/features/designer/blocks/try-out/sample-fields.tsx'
import { FailureNote, PlainValue, TrialResult } from '#web/features/designer/blocks/try-out/trial-result.tsx'
import { TryButton } from '#web/features/designer/blocks/try-out/try-button.tsx'
import { type TemplateSource, useReadVariables } from '#web/features/designer/blocks/try-out/use-read-variables.ts'
import { useSamples } from '#web/features/designer/blocks/try-out/use-samples.ts'
import { picked, useKnownVariables, useTrialInputs } from '#web/features/designer/blocks/try-out/use-trial-inputs.ts'
import { type Failure, type TriedFeed, type TryInput, useTry } from '#web/features/designer/blocks/try-out/use-try.ts'
import { Field } from '#web/features/designer/inspector/field.tsx'
import { useForm } from '#web/features/designer/inspector/form-context.ts'
import { stringOf } from '#web/features/designer/inspector/shared-value.ts'
import { useDesigner } from '#web/features/designer/session/designer.ts'
import { OWN_EDIT } from '#web/features/designer/session/edit/edit-actions.ts'
import { useNames } from '#web/features/designer/session/flow-names.ts'
import { usePhone } from '#web/features/designer/session/use-phone.ts'
import { holidays } from '#web/form/control/format-control.tsx'
import { timeIn } from '#web/format/time.ts'
import { lazyModule, useLazyModule } from '#web/lazy-module.ts'
import { PanelSection } from './panel-section.tsx'

/** Data may also be given as text that holds JSON. */
const dataOf = (value: unknown): Json => {
  if (typeof value !== 'string') return (value ?? null) as Json
  try {
    return JSON.parse(value) as Json
  } catch {
    return value
  }
}

interface Step {
  readonly input?: Outcome<unknown>
  readonly output?: Outcome<unknown>
}

/** Result of a transformation of sample values, step by step. */
const useTransformed = (input: string, rule: string, values: Readonly<Record<string, Json>>): Step => {
  const { bot } = useNames()
  const parser = bot?.expressionparser ?? 'Jexl'
  const pathParser = bot?.jsonpathparser ?? 'JSONPath'
  const [step, setStep] = useState<Step>({})
  useEffect(() => {
    let isLeft = false
    const transform = async () => {
      if (input.trim() === '') return setStep({})
      const taken = await evaluator.evaluate({
        kind: 'template',
        text: input,
        template: 'text',
        parser,
        context: values,
      })
      if (isLeft) return
      if (!taken.ok || rule.trim() === '') return setStep({ input: taken })
      const data = dataOf(taken.value)
      const source = rule.trim()
      const output = await evaluator.evaluate(
        isPathRule(source)
          ? { kind: 'path', parser: pathParser, source, input: data }
          : { kind: 'expression', engine: parser, source, context: { ...values, input: data } },
      )
      if (!isLeft) setStep({ input: taken, output })
    }
    void transform()
    return () => {
      isLeft = true
    }
  }, [input, rule, values, parser, pathParser])
  return step
}

const shown = (value: unknown): string => JSON.stringify(value, null, 2) ?? '–'

/** The data that a rule is applied to, what it gives, and a path by a click on either. */
const TryTransform = () => {
  const { t } = useTranslation('designer')
  const { node } = useForm()
  const { room, mayEdit } = useDesigner()
  const { bot } = useNames()
  const { known } = useKnownVariables()
  const { values } = useSamples(known)
  const input = stringOf(node.properties.input)
  const rule = stringOf(node.properties.rule)
  const names = useReadVariables([{ text: input, kind: 'text' }], bot?.expressionparser ?? 'Jexl')
  const { input: taken, output } = useTransformed(input, rule, values)
  if (taken === undefined) return null
  const use = (path: string) => setField(room.doc, node.id, ['rule'], path, OWN_EDIT)
  return (
    <PanelSection title={t('try.result')}>
      <SampleFields names={names} />
      {taken.ok ? (
        <JsonTree
          label={t('try.data')}
          value={dataOf(taken.value)}
          parser={bot?.jsonpathparser ?? 'JSONPath'}
          onUse={mayEdit ? use : undefined}
        />
      ) : null}
      {output === undefined ? null : output.ok ? (
        <div role="status">
          <span className="pl-label-text">{t('try.gives')}</span>
          <PlainValue label={t('try.gives')} text={shown(output.value)} />
        </div>
      ) : (
        <chakra.p role="status" fontSize="xs" color="danger.fg">
          {t(findingMessageKey(output.fault), { name: output.fault.name ?? '' })}
        </chakra.p>
      )}
    </PanelSection>
  )
}

const HEADERS = { VIDEO: Film, DOCUMENT: FileText, IMAGE: Image } as const

const Header = ({ kind, content }: { readonly kind: string; readonly content: string }) => {
  if (kind === 'NONE' || content === '') return null
  if (kind === 'IMAGE') return <CardPicture address={content} />
  const Icon = kind === 'VIDEO' || kind === 'DOCUMENT' ? HEADERS[kind] : undefined
  return Icon === undefined ? (
    <b>
      <CardText text={content} />
    </b>
  ) : (
    <span className="pl-media">
      <Icon size={18} aria-hidden />
      {content.split('/').at(-1)}
    </span>
  )
}

const productsOf = (section: JsonObject): readonly string[] =>
  (Array.isArray(section.productList) ? section.productList : []).map(item =>
    typeof item === 'string' ? item : textAt(item, 'productId'),
  )

const Product = ({ id }: { readonly id: string }) => (
  <li>
    <ShoppingBag size={16} aria-hidden />
    <CardText text={id || '…'} />
  </li>
)

/** A message with one product, or with several in their sections. */
const ProductPreview = () => {
  const { t } = useTranslation('designer')
  const { node } = useForm()
  const { properties } = node
  const several = properties.messageType === 'MULTI_PRODUCT'
  return (
    <PanelSection title={t('card.preview')}>
      <div className="pl-card">
        <div className="pl-card-words">
          <Header kind={textAt(properties, 'headerType')} content={textAt(properties, 'headerContent')} />
          <p>
            <CardText text={textAt(properties, 'bodyContent') || '…'} />
          </p>
          <small>
            <CardText text={textAt(properties, 'footerContent')} />
          </small>
        </div>
        {several ? (
          itemsAt(properties, 'sections').map((section, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two sections may be named the same
            <div key={place} className="pl-products">
              <b>{textAt(section, 'title') || '…'}</b>
              <ul>
                {productsOf(section).map((id, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a product may be listed twice
                  <Product key={index} id={id} />
                ))}
              </ul>
            </div>
          ))
        ) : (
          <ul className="pl-products">
            <Product id={textAt(properties, 'singleProductId')} />
          </ul>
        )}
        <ul className="pl-card-buttons">
          <li>{t(several ? 'card.viewItems' : 'card.view')}</li>
        </ul>
      </div>
    </PanelSection>
  )
}

/** The library that draws cards is larger than the inspector. */
const drawing = lazyModule(async () => (await import('../adaptive-card/adaptive-drawing.tsx')).AdaptiveDrawing)

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
const AdaptivePanel = () => {
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

const ATTEMPT = {
  send: (input: TryInput) => http.post('/{kind}/{id}/try/feed', input),
  failed: (failure: Failure): TriedFeed => ({ time: 0, failure }),
}
const SENT = ['url', 'headers', 'numberOfNews', 'timeout'] as const

const Picture = ({ address }: { readonly address: string }) => {
  const { t } = useTranslation('designer')
  const [isBroken, setBroken] = useState(false)
  if (address !== '' && !isBroken) {
    const broken = () => setBroken(true)
    return <img className="pl-news-picture" src={address} alt="" referrerPolicy="no-referrer" onError={broken} />
  }
  return (
    <span className="pl-news-picture" role="img" aria-label={t('try.noImage')} title={t('try.noImage')}>
      <ImageOff size={16} aria-hidden />
    </span>
  )
}

interface NewsProps {
  readonly feed: NonNullable<TriedFeed['feed']>
  readonly shows: ReadonlySet<string>
}

/** The items as the block would say them: of each what is ticked. */
const News = ({ feed, shows }: NewsProps) => (
  <ul className="pl-news">
    {feed.items.map(({ title, description, link, image }, place) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: two items may be the same
      <li key={place}>
        {shows.has('Image') ? <Picture address={image} /> : null}
        <div>
          <b>{title}</b>
          {shows.has('Description') ? <p>{description}</p> : null}
          {shows.has('Link') && link !== '' ? (
            <a href={link} target="_blank" rel="noreferrer noopener">
              {link}
            </a>
          ) : null}
        </div>
      </li>
    ))}
  </ul>
)

/** Reads a block's feed from the server, with values that a person makes up. */
const TryFeed = () => {
  const { t } = useTranslation('designer')
  const { properties, names, values, mayEdit } = useTrialInputs(() => ({ text: ['url'], pairs: ['headers'] }))
  const { isRunning, result, run } = useTry(ATTEMPT)
  if (!mayEdit) return null
  const shows = new Set(Array.isArray(properties.rssItems) ? properties.rssItems.map(String) : [])
  return (
    <PanelSection title={t('try.title')}>
      <SampleFields names={names} />
      <TryButton
        label={t('try.read')}
        isRunning={isRunning}
        disabled={properties.url === ''}
        onTry={() => run(picked(properties, SENT), values)}
      />
      <TrialResult result={result}>
        {result?.status === undefined ? null : (
          <div className="pl-told">
            <Chip tone={result.feed === undefined ? 'danger' : 'positive'}>{result.status}</Chip>
            <span>{t('try.time', { time: result.time })}</span>
            {result.feed === undefined ? null : <span>{t('try.news', { count: result.feed.items.length })}</span>}
          </div>
        )}
        {result?.failure === undefined ? null : <FailureNote failure={result.failure} />}
        {result?.feed === undefined ? null : <News feed={result.feed} shows={shows} />}
      </TrialResult>
    </PanelSection>
  )
}

const SHOWN = 3

/** When the block next leaves by its first output, with the holidays of its place left out. */
const NextOpenings = () => {
  const { t, i18n } = useTranslation('designer')
  const { node } = useForm()
  const { value: calendar, error } = useLazyModule(holidays)
  const now = useMinute()
  const { properties } = node
  const timezone = stringOf(properties.timezone) || 'America/Sao_Paulo'
  const openings = useMemo(() => {
    const types = Array.isArray(properties.holidayTypes) ? properties.holidayTypes.map(String) : []
    const place = { country: String(properties.country ?? ''), state: String(properties.state ?? '') }
    try {
      return nextOpenings(properties, calendar?.createHolidayCheck(place, types) ?? (() => false), now, SHOWN)
    } catch {
      return undefined
    }
  }, [properties, calendar, now])
  if (openings === undefined) {
    return (
      <PanelSection title={t('openings.title')}>
        <chakra.p fontSize="sm" color="warning.fg">
          {t('openings.badZone', { zone: timezone })}
        </chakra.p>
      </PanelSection>
    )
  }
  const day = timeIn(i18n.language, {
    timeZone: timezone,
    weekday: 'short',
    day: '2-digit',
    month: '2-digit',
  })
  const hour = timeIn(i18n.language, { timeZone: timezone, hour: '2-digit', minute: '2-digit' })
  return (
    <PanelSection title={t('openings.title')}>
      <ol className="pl-openings">
        {openings.map(({ from, to }) => (
          <li key={from} data-now={from <= now || undefined}>
            <span>{day.format(from)}</span>
            <b>
              {hour.format(from)} – {hour.format(to)}
            </b>
            {from <= now ? <em>{t('openings.now')}</em> : null}
          </li>
        ))}
      </ol>
      {openings.length === 0 ? <chakra.p fontSize="sm">{t('openings.never')}</chakra.p> : null}
      {error === undefined ? null : (
        <chakra.p fontSize="xs" color="warning.fg">
          {t('openings.noCalendar')}
        </chakra.p>
      )}
    </PanelSection>
  )
}

/** Sample values for each line's result; the results appear beside the lines. */
const TryAssign = () => {
  const { t } = useTranslation('designer')
  const { node } = useForm()
  const { bot } = useNames()
  const { variables } = node.properties
  const lines = (Array.isArray(variables) ? variables : []).filter(isObject)
  const texts = lines.map(
    ({ name, value }): TemplateSource => ({ text: stringOf(value), kind: 'text', sets: stringOf(name).trim() }),
  )
  const names = useReadVariables(texts, bot?.expressionparser ?? 'Jexl')
  if (names.length === 0) return null
  return (
    <PanelSection title={t('try.samples')}>
      <SampleFields names={names} />
    </PanelSection>
  )
}

/** Runs a block's own script; one that calls a handler has none. */
const TryScript = () => {
  const { t } = useTranslation('designer')
  const { node } = useForm()
  const { mayEdit } = useDesigner()
  const { quickscript, name, handlerparameters } = node.properties
  const source = stringOf(node.properties.js)
  if (!mayEdit || (quickscript !== true && name !== '') || source.trim() === '') return null
  const listed = Array.isArray(handlerparameters) ? handlerparameters.filter(each => typeof each === 'string') : []
  return (
    <PanelSection title={t('try.title')}>
      <RunScript source={source} parameters={listed.length === 0 ? scriptParameters(source) : listed} />
    </PanelSection>
  )
}

/** By the name that a declaration gives. */
export const panels: Readonly<Record<PanelName, ComponentType>> = {
  card: CardPreview,
  receipt: ReceiptPreview,
  adaptive: AdaptivePanel,
  product: ProductPreview,
  openings: NextOpenings,
  runs: NextRuns,
  branches: TryCondition,
  choices: Choices,
  call: TryCall,
  transform: TryTransform,
  assign: TryAssign,
  script: TryScript,
  feed: TryFeed,
}
