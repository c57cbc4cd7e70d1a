import { Box } from '@chakra-ui/react'
import { FileQuestion } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { isProblem } from '#web/api/problem.ts'
import { EmptyState } from '#web/components/empty-state.tsx'

/** A model whose evaluation cannot be read; the model itself may work. */
export const FailedEvaluation = ({ error }: { readonly error: unknown }) => {
  const { t } = useTranslation('training')
  return (
    <Box borderWidth="1px" borderRadius="lg" bg="bg.surface">
      <EmptyState
        icon={FileQuestion}
        title={t('noevaluation')}
        text={isProblem(error) ? error.message : t('noanswer')}
      />
    </Box>
  )
}
