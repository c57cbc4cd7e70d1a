import { Box, Button, chakra, HStack, SimpleGrid, Text } from '@chakra-ui/react'
import { Diff } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { EntityDeclaration } from '#schemas/entity.ts'
import type { ToldError } from '#web/api/problem.ts'
import { useSession } from '#web/api/session.ts'
import { Modal } from '#web/components/modal.tsx'
import { nameOf, PersonAvatar } from '#web/components/person-avatar.tsx'
import type { Row, Value } from '#web/entity/entity-query.ts'
import { useLabel } from '#web/entity/label.ts'
import { usePerson } from '#web/entity/person-query.ts'
import { ValueText } from '#web/entity/value-text.tsx'
import { minuteOf } from '#web/format/time.ts'

interface Props {
  readonly entity: EntityDeclaration
  readonly row: Row
  readonly errors: readonly ToldError[]
  readonly merged: readonly string[]
  readonly busy: boolean
  onResolve(own: ReadonlySet<string>): void
  onClose(): void
}

interface ChoiceProps {
  readonly name: string
  readonly chosen: boolean
  readonly who: React.ReactNode
  readonly children: React.ReactNode
  onChoose(): void
}

const Choice = ({ name, chosen, who, children, onChoose }: ChoiceProps) => (
  <chakra.label
    display="block"
    p="3"
    borderWidth={chosen ? '2px' : '1px'}
    m={chosen ? '0' : '1px'}
    borderColor={chosen ? 'accent.solid' : 'border.emphasized'}
    borderRadius="md"
    cursor="pointer"
    _focusWithin={{
      outlineWidth: '2px',
      outlineStyle: 'solid',
      outlineColor: 'accent.focusRing',
      outlineOffset: '2px',
    }}
  >
    <HStack gap="2" mb="1.5" textStyle="secondary" color="fg.muted">
      <chakra.input
        type="radio"
        name={name}
        checked={chosen}
        onChange={onChoose}
        accentColor="accent.solid"
        outline="none"
      />
      {who}
    </HStack>
    <Text textStyle="title" overflowWrap="anywhere" maxH="140px" overflow="auto">
      {children}
    </Text>
  </chakra.label>
)

interface FieldChoiceProps extends Pick<Props, 'entity' | 'row'> {
  readonly error: Props['errors'][number]
  /** Of several fields each has its name above it. */
  readonly isTitled: boolean
  readonly isOwn: boolean
  onChoose(mine: boolean): void
}

const FieldChoice = ({ entity, row, error, isTitled, isOwn, onChoose }: FieldChoiceProps) => {
  const { t } = useTranslation('shell')
  const label = useLabel()
  const { user } = useSession()
  const other = usePerson(row.modified_by)
  const name = nameOf(other ?? null)
  const { path, before, yours, theirs } = error
  const unit = entity.fields[path]?.unit ? ` ${entity.fields[path]?.unit}` : ''
  return (
    <Box mb="4">
      {isTitled ? (
        <Text textStyle="label" mb="1.5">
          {label.field(entity.name, path)}
        </Text>
      ) : null}
      <SimpleGrid columns={{ base: 1, md: 2 }} gap="3">
        <Choice
          name={path}
          chosen={isOwn}
          onChoose={() => onChoose(true)}
          who={
            <>
              <PersonAvatar person={user} size={20} /> {t('conflict.yours')}
            </>
          }
        >
          <ValueText entity={entity.name} path={path} value={(yours ?? null) as Value} />
          {unit}
        </Choice>
        <Choice
          name={path}
          chosen={!isOwn}
          onChoose={() => onChoose(false)}
          who={
            <>
              <PersonAvatar person={other ?? null} size={20} /> {name}, {minuteOf(row.modified_at)}
            </>
          }
        >
          <ValueText entity={entity.name} path={path} value={(theirs ?? null) as Value} />
          {unit}
        </Choice>
      </SimpleGrid>
      <Text textStyle="secondary" color="fg.muted" mt="2">
        {t('conflict.before')} <ValueText entity={entity.name} path={path} value={(before ?? null) as Value} />
        {unit}
      </Text>
    </Box>
  )
}

/** Two people changed the same field: both values, and one choice for each. */
export const ConflictDialog = ({ entity, row, errors, merged, busy, onResolve, onClose }: Props) => {
  const { t } = useTranslation('shell')
  const label = useLabel()
  const other = usePerson(row.modified_by)
  const [own, setOwn] = useState<ReadonlySet<string>>(new Set(errors.map(error => error.path)))
  const choose = (path: string, mine: boolean) => {
    const next = new Set(own)
    if (mine) next.add(path)
    else next.delete(path)
    setOwn(next)
  }
  const first = errors[0]
  const name = nameOf(other ?? null)
  return (
    <Modal
      open
      width={560}
      icon={<Diff size={18} aria-hidden="true" />}
      title={
        errors.length === 1 && first
          ? t('conflict.title', { field: label.field(entity.name, first.path) })
          : t('conflict.titles', { count: errors.length })
      }
      onClose={onClose}
      footer={
        <>
          <Button variant="ghost" onClick={onClose}>
            {t('conflict.keep')}
          </Button>
          <Button variant="solid" loading={busy} onClick={() => onResolve(own)}>
            {own.size === errors.length
              ? t('conflict.mine')
              : own.size === 0
                ? t('conflict.theirs', { name })
                : t('conflict.both')}
          </Button>
        </>
      }
    >
      <Text textStyle="body" color="fg.muted" mb="3">
        {t('conflict.text', { name })}
        {merged.length > 0
          ? ` ${t('conflict.merged', { fields: merged.map(path => label.field(entity.name, path)).join(', ') })}`
          : ''}
      </Text>
      {errors.map(error => (
        <FieldChoice
          key={error.path}
          entity={entity}
          row={row}
          error={error}
          isTitled={errors.length > 1}
          isOwn={own.has(error.path)}
          onChoose={mine => choose(error.path, mine)}
        />
      ))}
    </Modal>
  )
}
