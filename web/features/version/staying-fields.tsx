import { Box, chakra, HStack, Text } from '@chakra-ui/react'
import { Lock } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Chip } from '#web/components/chip.tsx'
import { useLabel } from '#web/entity/label.ts'
import type { VersionPreview } from './version-query.ts'

type Staying = VersionPreview['stays'][number]

const Line = ({ thing, isNew }: { readonly thing: Staying; readonly isNew: boolean }) => {
  const { t } = useTranslation('shell')
  const label = useLabel()
  return (
    <chakra.li display="flex" flexWrap="wrap" alignItems="baseline" gap="2" py="1" fontSize="sm">
      <Text as="span" fontWeight="semibold" overflowWrap="anywhere">
        {thing.name === '' ? label.name(thing.entity) : thing.name}
      </Text>
      <Text as="span" color="fg.muted">
        {label.name(thing.entity)}
      </Text>
      <Text as="span" color="fg.muted" overflowWrap="anywhere">
        {thing.fields.map(field => label.field(thing.entity, field)).join(', ')}
      </Text>
      {isNew ? <Chip tone="warning">{t('version.environment.new')}</Chip> : null}
    </chakra.li>
  )
}

/** Fields that a version of another bot does not change, and those of new things that people have to fill in. */
export const StayingFields = ({ preview: { stays, things } }: { readonly preview: VersionPreview }) => {
  const { t } = useTranslation('shell')
  if (stays.length === 0) return null
  const added = new Set(things.flatMap(({ entity, id, state }) => (state === 'added' ? [`${entity} ${id}`] : [])))
  return (
    <Box
      as="section"
      aria-label={t('version.environment.title')}
      bg="bg.surface"
      borderWidth="1px"
      borderRadius="lg"
      p="4"
      mb="4"
    >
      <HStack gap="2.5" mb="1">
        <Lock size={16} aria-hidden="true" />
        <Text as="h3" textStyle="card">
          {t('version.environment.title')}
        </Text>
      </HStack>
      <Text textStyle="dense" color="fg.muted" mb="2">
        {t('version.environment.text')}
      </Text>
      <chakra.ul listStyleType="none">
        {stays.map((thing, index) => (
          <Line
            key={`${thing.entity}-${thing.id ?? index}`}
            thing={thing}
            isNew={added.has(`${thing.entity} ${thing.id}`)}
          />
        ))}
      </chakra.ul>
    </Box>
  )
}
