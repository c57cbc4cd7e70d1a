import { Box, Field as ChakraField, chakra, HStack, Text } from '@chakra-ui/react'
import { History } from 'lucide-react'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { personColor } from '#domain/person-color.ts'
import { IconButton } from '#web/components/icon-button.tsx'
import { nameOf } from '#web/components/person-avatar.tsx'
import { useLabel } from '#web/entity/label.ts'
import { usePerson } from '#web/entity/person-query.ts'
import { type ControlProps, FieldControl } from './field-control.tsx'

const WIDE = new Set(['text', 'markdown', 'code', 'json', 'strings', 'references', 'boolean'])

interface Props extends Omit<ControlProps, 'id' | 'invalid'> {
  readonly error: string | undefined
  readonly dirty: boolean
  /** The value before the chosen change, in words. */
  readonly was: string | undefined
  /** Who changed it meanwhile. */
  readonly changedBy: string | undefined
  readonly onHistory: (() => void) | undefined
}

const ChangedBy = ({ user }: { user: string }) => {
  const { t } = useTranslation('shell')
  const person = usePerson(user)
  return (
    <Text as="span" textStyle="secondary" fontWeight="normal" color={`person.${personColor(user)}`} role="status">
      {t('form.changedby', { name: nameOf(person ?? null) })}
    </Text>
  )
}

/** Label, control, hint and error of one field, and what happened to it. */
export const FormField = ({ error, dirty, was, changedBy, onHistory, ...control }: Props) => {
  const { t } = useTranslation('shell')
  const label = useLabel()
  const own = useId()
  const id = `field-${control.name}-${own}`
  const { entity, name, field } = control
  const isSwitch = field.kind === 'boolean'
  const hint = label.hint(entity, name)
  const title = (
    <ChakraField.Label htmlFor={id} {...(isSwitch ? { fontSize: 'sm', color: 'fg', fontWeight: 'normal' } : {})}>
      {dirty ? (
        <Box boxSize="2" borderRadius="full" bg="accent.solid" aria-label={t('form.unsaved')} role="img" />
      ) : null}
      {label.field(entity, name)}
      {field.required ? (
        <chakra.span color="fg.subtle" fontWeight="normal" aria-hidden="true">
          *
        </chakra.span>
      ) : null}
    </ChakraField.Label>
  )
  const flash =
    changedBy === undefined
      ? {}
      : {
          animation: 'parley-flash 2s',
          outline: '0px solid',
          outlineColor: `person.${personColor(changedBy)}`,
          borderRadius: 'md',
        }
  return (
    <ChakraField.Root
      invalid={error !== undefined}
      required={field.required}
      gridColumn={WIDE.has(field.kind) ? '1 / -1' : 'auto'}
      data-field={name}
      className="group"
      css={{
        '& .field-history': { opacity: 0 },
        '&:hover .field-history, &:focus-within .field-history': { opacity: 1 },
        ...(dirty && !isSwitch ? { '& :is(input, textarea, select)': { borderColor: 'accent.solid' } } : {}),
        ...(was === undefined
          ? {}
          : { '& :is(input, textarea, select)': { bg: 'diff.changed.subtle', borderColor: 'diff.changed.solid' } }),
      }}
    >
      <HStack w="100%" minH="5" gap="2" justify="space-between">
        <HStack gap="2">
          {title}
          {onHistory ? (
            <IconButton
              className="field-history"
              icon={History}
              iconSize={12}
              size="xs"
              h="5"
              minW="5"
              label={t('form.fieldhistory', { name: label.field(entity, name) })}
              onClick={onHistory}
            />
          ) : null}
        </HStack>
        {isSwitch ? <FieldControl {...control} id={id} invalid={error !== undefined} /> : null}
        {changedBy ? (
          <ChangedBy user={changedBy} />
        ) : was === undefined ? null : (
          <HStack gap="1" textStyle="secondary" color="diff.changed.fg" truncate>
            <History size={12} aria-hidden="true" />
            {t('form.was', { value: was })}
          </HStack>
        )}
      </HStack>
      {isSwitch ? null : (
        <Box w="100%" {...flash}>
          <FieldControl {...control} id={id} invalid={error !== undefined} />
        </Box>
      )}
      {hint ? <ChakraField.HelperText>{hint}</ChakraField.HelperText> : null}
      <ChakraField.ErrorText>{error}</ChakraField.ErrorText>
    </ChakraField.Root>
  )
}
