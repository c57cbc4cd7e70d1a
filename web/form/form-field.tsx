import { Box, Button, Field as ChakraField, chakra, HStack, Text } from '@chakra-ui/react'
import { Diff, History } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { personColor } from '#domain/color.ts'
import type { Field } from '#schemas/field/kind.ts'
import { IconButton } from '#web/components/hint.tsx'
import { CharacterCount } from './character-count.tsx'
import { FieldControl, type FieldControlProps } from './control/field-control.tsx'

interface Conflict {
  readonly id: string
  /** The value before both changes; undefined where `theirs` tells it. */
  readonly before: ReactNode | undefined
  /** The value that was saved meanwhile. */
  readonly theirs: ReactNode
  onUseTheirs(): void
}

/** Shown below a control: another person's saved value, and the value before both edits. */
export const FieldConflict = ({ id, before, theirs, onUseTheirs }: Conflict) => {
  const { t } = useTranslation('shell')
  return (
    <HStack
      id={id}
      w="100%"
      mt="1"
      px="2.5"
      py="1.5"
      gap="2"
      align="flex-start"
      borderLeftWidth="3px"
      borderColor="warning.solid"
      bg="warning.subtle"
      borderRightRadius="sm"
      fontSize="sm"
    >
      <Box color="warning.fg" pt="0.5" flex="none">
        <Diff size={14} aria-hidden="true" />
      </Box>
      <Box flex="1" minW="0" overflowWrap="anywhere">
        <Text as="span" color="fg.muted">
          {t('form.othervalue')}:{' '}
        </Text>
        {theirs}
        {before === undefined ? null : (
          <Text textStyle="secondary" color="fg.muted">
            {before} ({t('form.beforeboth')})
          </Text>
        )}
      </Box>
      <Button size="xs" flex="none" minH={{ base: '11', md: '7' }} onClick={onUseTheirs}>
        {t('form.usetheirs')}
      </Button>
    </HStack>
  )
}

/**
 * Runs after the press of a pointer that is under way, else at once: text that appears between press and release moves
 * the pressed button away, and the browser then reports no click.
 */
const afterPress = (run: () => void): void => {
  if (document.querySelector(':active') === null) {
    run()
    return
  }
  const events = ['pointerup', 'pointercancel'] as const
  const end = () => {
    for (const event of events) window.removeEventListener(event, end)
    setTimeout(run)
  }
  for (const event of events) window.addEventListener(event, end)
}

const WIDE = new Set([
  'text',
  'markdown',
  'code',
  'json',
  'expression',
  'strings',
  'references',
  'boolean',
  'list',
  'image',
  'palette',
])

const isWide = ({ field, readOnly }: Pick<Props, 'field' | 'readOnly'>): boolean =>
  WIDE.has(field.kind) || (field.kind === 'enumeration' && field.tiles === true && readOnly !== true)

const INPUTS = '& :is(input, textarea, select, .cm-editor)'

interface Props extends Omit<FieldControlProps, 'id' | 'invalid' | 'describedBy' | 'density'> {
  readonly name: string
  readonly error?: string | undefined
  readonly dirty?: boolean
  /** The value before the chosen change, in words. */
  readonly was?: string | undefined
  /** Last editor while the form was open, and their color. */
  readonly changedBy?: { readonly user: string; readonly text: ReactNode } | undefined
  readonly conflict?: Omit<Conflict, 'id'> | undefined
  readonly onHistory?: (() => void) | undefined
  /** The focus left the field and everything in it. */
  readonly onLeave?: () => void
}

const isStarred = (field: Field) => field.required || field.starred === true

const Label = ({ id, field, texts, dirty }: Props & { readonly id: string }) => {
  const { t } = useTranslation('shell')
  return (
    <ChakraField.Label
      id={`${id}-label`}
      htmlFor={id}
      {...(field.kind === 'boolean' ? { fontSize: 'sm', color: 'fg', fontWeight: 'normal' } : {})}
    >
      {dirty ? (
        <Box boxSize="2" borderRadius="full" bg="accent.solid" aria-label={t('form.unsaved')} role="img" />
      ) : null}
      {texts.label}
      {isStarred(field) ? (
        <chakra.span color="fg.subtle" fontWeight="normal" aria-hidden="true">
          *
        </chakra.span>
      ) : null}
    </ChakraField.Label>
  )
}

const HistoryButton = ({ label, onHistory }: { readonly label: string; readonly onHistory: () => void }) => {
  const { t } = useTranslation('shell')
  return (
    <IconButton
      className="field-history"
      icon={History}
      iconSize={12}
      size="xs"
      h="5"
      minW="5"
      label={t('form.fieldhistory', { name: label })}
      onClick={onHistory}
    />
  )
}

/** Note on the field: a change during the session, or the value before the selected change. */
const Past = ({ changedBy, was }: Pick<Props, 'changedBy' | 'was'>) => {
  const { t } = useTranslation('shell')
  if (changedBy !== undefined)
    return (
      <Text
        as="span"
        textStyle="secondary"
        fontWeight="normal"
        color={`person.${personColor(changedBy.user)}`}
        role="status"
      >
        {changedBy.text}
      </Text>
    )
  if (was === undefined) return null
  return (
    <HStack gap="1" textStyle="secondary" color="diff.changed.fg" truncate>
      <History size={12} aria-hidden="true" />
      {t('form.was', { value: was })}
    </HStack>
  )
}

const flashOf = (changedBy: Props['changedBy']) =>
  changedBy === undefined
    ? {}
    : {
        animation: 'parley-flash 2s',
        outline: '0px solid',
        outlineColor: `person.${personColor(changedBy.user)}`,
        borderRadius: 'md',
      }

const stylesOf = ({ dirty, was, field }: Props) => ({
  '& .field-history': { opacity: 0 },
  '&:hover .field-history, &:focus-within .field-history': { opacity: 1 },
  ...(dirty && field.kind !== 'boolean' ? { [INPUTS]: { borderColor: 'accent.solid' } } : {}),
  ...(was === undefined ? {} : { [INPUTS]: { bg: 'diff.changed.subtle', borderColor: 'diff.changed.solid' } }),
})

/** Label, control, hint and error of one field, and what happened to it. */
export const FormField = (props: Props) => {
  const { name, error, dirty, was, changedBy, conflict, onHistory, onLeave, ...control } = props
  const { field, texts } = control
  const id = `field-${name}-${useId()}`
  const isSwitch = field.kind === 'boolean'
  const parts = [
    ...(texts.hint === undefined ? [] : [`${id}-hint`]),
    ...(error === undefined ? [] : [`${id}-error`]),
    ...(conflict === undefined ? [] : [`${id}-conflict`]),
  ]
  const drawn = (
    <FieldControl
      {...control}
      id={id}
      invalid={error !== undefined}
      describedBy={parts.length === 0 ? undefined : parts.join(' ')}
    />
  )
  return (
    <ChakraField.Root
      invalid={error !== undefined}
      required={isStarred(field)}
      ids={{ label: `${id}-label`, helperText: `${id}-hint`, errorText: `${id}-error` }}
      gridColumn={isWide(props) ? '1 / -1' : 'auto'}
      data-field={name}
      className="group"
      css={stylesOf(props)}
      onBlur={event => {
        if (onLeave !== undefined && !event.currentTarget.contains(event.relatedTarget)) afterPress(onLeave)
      }}
    >
      <HStack w="100%" minH="5" gap="2" justify="space-between">
        <HStack gap="2">
          <Label {...props} id={id} />
          {onHistory === undefined ? null : <HistoryButton label={texts.label} onHistory={onHistory} />}
        </HStack>
        {isSwitch ? drawn : null}
        <Past changedBy={changedBy} was={was} />
        {field.count === undefined ? null : <CharacterCount value={control.value} max={field.count} />}
      </HStack>
      {isSwitch ? null : (
        <Box w="100%" {...flashOf(changedBy)}>
          {drawn}
        </Box>
      )}
      {texts.hint === undefined ? null : <ChakraField.HelperText>{texts.hint}</ChakraField.HelperText>}
      <ChakraField.ErrorText>{error}</ChakraField.ErrorText>
      {conflict === undefined ? null : <FieldConflict {...conflict} id={`${id}-conflict`} />}
    </ChakraField.Root>
  )
}
