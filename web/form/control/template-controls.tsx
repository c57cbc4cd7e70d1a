import { Box, Button, HStack, Input, Text } from '@chakra-ui/react'
import { Bold, CircleCheck, Image, Italic, type LucideIcon, Plus, Smile, Strikethrough, Video } from 'lucide-react'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { isFile } from '#domain/field/stored-items.ts'
import { lintTemplate } from '#domain/template/lint.ts'
import { templateOf, variableNames } from '#domain/template/template.ts'
import type { JsonObject } from '#schemas/event.ts'
import { textOf } from '#schemas/json.ts'
import { SEGMENT_TEXTS } from '#schemas/segment-rule.ts'
import { fileUrl } from '#web/api/http.ts'
import { VariableCode } from '#web/components/code-line.tsx'
import { EmojiPicker } from '#web/components/emoji/emoji-picker.tsx'
import { IconButton } from '#web/components/hint.tsx'
import { useLabel } from '#web/entity/label.ts'
import { Select } from '../labelled-select.tsx'
import { useContactFieldName } from './contact-field-name.ts'
import type { ControlProps } from './control-props.ts'
import { TextControl } from './line-control.tsx'
import { insertedVariable, markedText, type TextEdit } from './template-text.ts'

interface VariablesProps extends ControlProps<string> {
  readonly rows: number
  readonly max: number | undefined
  /** `parameter_format` of the template. */
  readonly format: string
}

const MARKS: readonly (readonly [sign: string, name: string, icon: LucideIcon])[] = [
  ['*', 'bold', Bold],
  ['_', 'italic', Italic],
  ['~', 'struck', Strikethrough],
]

/** The text of a template, with tools that put marks, emoji and variables at the caret. */
export const VariablesControl = ({ format, ...props }: VariablesProps) => {
  const { t } = useTranslation('shell')
  const box = useRef<HTMLDivElement>(null)
  const edit = (change: (text: string, from: number, to: number) => TextEdit) => {
    const field = box.current?.querySelector('textarea')
    if (field === undefined || field === null) return
    const { text, from, to } = change(field.value, field.selectionStart, field.selectionEnd)
    if (props.max !== undefined && text.length > props.max) return
    props.onChange(text)
    requestAnimationFrame(() => {
      field.focus()
      field.setSelectionRange(from, to)
    })
  }
  const size = { minH: { base: '11', md: '7' }, minW: { base: '11', md: '7' } } as const
  const insert = (sign: string) =>
    edit((text, from, to) => {
      const at = from + sign.length
      return { text: text.slice(0, from) + sign + text.slice(to), from: at, to: at }
    })
  return (
    <Box ref={box} w="100%">
      {props.readOnly === true || props.disabled === true ? null : (
        <HStack justify="flex-end" gap="0.5" mt="-1.5" mb="0.5" role="group" aria-label={t('form.variables.tools')}>
          {MARKS.map(([sign, name, icon]) => (
            <IconButton
              key={name}
              icon={icon}
              iconSize={14}
              label={t(`form.variables.${name}`)}
              {...size}
              onClick={() => edit((text, from, to) => markedText(text, from, to, sign))}
            />
          ))}
          <EmojiPicker label={t('form.variables.emoji')} onChoose={insert}>
            <IconButton icon={Smile} iconSize={14} label={t('form.variables.emoji')} {...size} />
          </EmojiPicker>
          <Button
            size="xs"
            variant="ghost"
            color="accent.fg"
            minH={size.minH}
            onClick={() => edit((text, from, to) => insertedVariable(text, from, to, format === 'named'))}
          >
            <Plus size={14} aria-hidden="true" />
            {t('form.variables.add')}
          </Button>
        </HStack>
      )}
      <TextControl {...props} />
    </Box>
  )
}

interface CardTabProps {
  readonly card: JsonObject
  readonly place: number
  /** Values of the form. */
  readonly values: JsonObject
}

/** A card of a carousel in one line: its picture, its first words, and what the review would refuse in it. */
export const CardTab = ({ card, place, values }: CardTabProps) => {
  const { t } = useTranslation('shell')
  const { media, headerType } = card
  const path = `cards.${place}.`
  const faults = lintTemplate(templateOf(values)).filter(
    fault => fault.path.startsWith(path) && fault.level !== 'warning',
  )
  const [line = ''] = textOf(card.body).trim().split('\n')
  const Icon = headerType === 'VIDEO' ? Video : Image
  const isPicture = media !== undefined && isFile(media) && headerType !== 'VIDEO'
  return (
    <HStack gap="2.5" minW="0" textAlign="start">
      <Box
        boxSize="9"
        flex="none"
        display="grid"
        placeItems="center"
        borderRadius="sm"
        bg="bg.sunken"
        color="fg.muted"
        bgSize="cover"
        bgPos="center"
        {...(isPicture
          ? { style: { backgroundImage: `url("${fileUrl('/file/{id}', { params: { id: media.id } })}")` } }
          : {})}
      >
        {isPicture ? null : <Icon size={16} aria-hidden="true" />}
      </Box>
      <Box minW="0">
        <Text textStyle="card" truncate>
          {line === '' ? t('form.cards.card', { place: place + 1 }) : line}
        </Text>
        {faults.length === 0 ? (
          <HStack gap="1" textStyle="secondary" color="fg.muted">
            <CircleCheck size={12} aria-hidden="true" />
            {t('form.cards.complete')}
          </HStack>
        ) : (
          <Text textStyle="secondary" color="danger.fg">
            {t('form.cards.faults', { count: faults.length })}
          </Text>
        )}
      </Box>
    </HStack>
  )
}

interface Props extends ControlProps<readonly JsonObject[]> {
  /** Text whose variables have the examples. */
  readonly text: string
}

/** An example for each variable of a text, and the field of contacts that campaigns fill it from: the rows follow the text. */
export const ExamplesControl = ({ text, value, onChange, id, describedBy, ...props }: Props) => {
  const { t } = useTranslation('shell')
  const { t: textOfTemplate } = useTranslation('entity/template')
  const label = useLabel().texts('template', 'params').member
  const fieldName = useContactFieldName()
  const names = variableNames(text)
  const isFixed = props.readOnly === true || props.disabled === true
  const memberOf = (name: string, member: string) => textOf(value.find(item => item.name === name)?.[member])
  const change = (name: string, changed: JsonObject) =>
    onChange(
      names.map(each => {
        const item = value.find(known => known.name === each) ?? { id: crypto.randomUUID(), name: each, example: '' }
        return each === name ? { ...item, ...changed } : item
      }),
    )
  const line = { display: 'grid', gridTemplateColumns: 'subgrid', gridColumn: '1 / -1', alignItems: 'center' } as const
  const from = label('source').label
  return (
    <Box w="100%" role="group" aria-labelledby={`${id}-label`} aria-describedby={describedBy}>
      {names.length === 0 ? (
        <Text textStyle="dense" color="fg.muted" py="1.5">
          {t('form.examples.none', { variable: '{{1}}' })}
        </Text>
      ) : (
        <Box
          display="grid"
          columnGap="3"
          rowGap="2"
          gridTemplateColumns={{
            base: 'minmax(48px, auto) minmax(0, 1fr)',
            md: 'minmax(48px, auto) repeat(2, minmax(0, 1fr))',
          }}
        >
          <Box {...line} hideBelow="md" textStyle="secondary" color="fg.muted" aria-hidden="true">
            <Text as="span">{label('name').label}</Text>
            <Text as="span">{label('example').label}</Text>
            <Text as="span">{from}</Text>
          </Box>
          <Box as="ul" listStyleType="none" {...line} rowGap="inherit">
            {names.map((name, place) => (
              <Box as="li" key={name} {...line} rowGap="1">
                <VariableCode name={name} textAlign="center" justifySelf="start" maxW="100%" truncate />
                <Input
                  {...(place === 0 ? { id } : {})}
                  aria-label={t('form.examples.of', { name: `{{${name}}}` })}
                  aria-invalid={(props.invalid === true && memberOf(name, 'example').trim() === '') || undefined}
                  readOnly={isFixed}
                  maxLength={4096}
                  value={memberOf(name, 'example')}
                  onChange={event => change(name, { example: event.target.value })}
                />
                <Select
                  gridColumn={{ base: '2', md: 'auto' }}
                  disabled={isFixed}
                  field={{ 'aria-label': `${from} {{${name}}}` }}
                  value={memberOf(name, 'source')}
                  none={textOfTemplate('variable.later')}
                  options={SEGMENT_TEXTS.map(field => [field, fieldName(field)])}
                  onChange={source => change(name, { source: source === '' ? null : source })}
                />
              </Box>
            ))}
          </Box>
        </Box>
      )}
    </Box>
  )
}
