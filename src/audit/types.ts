/** Every type that the audits and their JSON documents name; types alone, so that nothing of theirs is loaded. */
export type {
  Agreement,
  AgreementAt,
  AgreementOptions,
  AllAgreement,
  Alphas,
  JudgeMarginals,
  Label,
  LabelledItem,
  PairAgreement,
  Scale,
  WeightedAll,
  WeightedPair,
  WeightName,
} from "./agreement.js";
export type { Alarm, Defect } from "./alarm.js";
export type { BinnedCalibration, BrierDecomposition, ReliabilityBin, Ties } from "./calibration/bins.js";
export type { Fitted, PlattCurve, PlattFit } from "./calibration/fit.js";
export type { CalibrationMap, IsotonicMap, PlattMap } from "./calibration/maps.js";
export type { Recalibration } from "./calibration/recalibration.js";
export type { RecalibrationTests } from "./calibration/score.js";
export type {
  CalibrationFigures,
  CalibrationOptions,
  CalibrationReport,
  CalibrationRows,
  MapReport,
} from "./calibration.js";
export type { Clusters } from "./cluster.js";
export type { ArticleFigure, DemoFinding, DemoPanel } from "./demo.js";
export type { Estimate } from "./estimate.js";
export type { GoldComparison } from "./latent-class/accuracy.js";
export type { Smoothing } from "./latent-class/em.js";
export type { IndependenceCheck, PairResidual } from "./latent-class/independence.js";
export type { RateErrors } from "./latent-class/information.js";
export type { DegenerateJudge, JudgeRates } from "./latent-class/judges.js";
export type { VoteRow, Votes } from "./latent-class/votes.js";
export type { LatentClassOptions, LatentClassReport, StartReport } from "./latent-class.js";
export type {
  AuditCounts,
  AuditSample,
  BayesianModel,
  BayesianPrevalence,
  BayesianSampling,
  BetaPrior,
  ClusterCounts,
  CountsInput,
  JudgedCounts,
  OrderedPair,
  OrderedSystem,
  OrderOptions,
  OrderProbability,
  OverClusters,
  PredictionPowered,
  Prevalence,
  PrevalenceInput,
  PrevalenceInterval,
  PrevalenceOptions,
  PrevalencePriors,
  PrevalenceRow,
  PrevalenceRowsOptions,
  RatesInput,
  RoganGladen,
  SystemLeftOut,
  SystemOrder,
  VarianceTerms,
} from "./prevalence.js";
export type { Significance } from "./significance.js";
export type {
  DifferenceBin,
  ScorePair,
  ScoreSwap,
  Slot,
  SlotCounts,
  SwapOptions,
  VerdictPair,
  VerdictSwap,
  Winner,
} from "./swap.js";
export type {
  Components,
  FloorEstimate,
  MeanSquares,
  MissingScores,
  Panel,
  PanelBudget,
  PanelPlan,
  PlanUncertainty,
  Reliabilities,
  Reliability,
  ScoreCells,
  ScoreRecord,
  ScoreTable,
  VarianceAudit,
  VarianceComponent,
  VarianceOptions,
  Variances,
} from "./variance.js";
