// Network rat, written by rat-engine for Stan 2.26 or newer; the data are in data.json beside it.
//
// The model is a tree: every variable in turn splits each case that can happen. A row of the conditional probability
// tables is one probability; a variable of more than two levels takes several, "this level or one above it", with the
// Beta priors that make them a Dirichlet row. A record is counted by what was seen of it, ? where nothing was, and its
// probability is the sum of those of the cases that are left.

data {
  // How many records show each pattern of labels; real, since there may be more than an int holds.
  array[18] real<lower=0> n;
}

parameters {
  real<lower=0, upper=1> row_theta_R; // theta_R
  real<lower=0, upper=1> row_theta_A_minus; // theta_A-
  real<lower=0, upper=1> row_theta_A_plus; // theta_A+
  real<lower=0, upper=1> row_theta_T_minus; // theta_T-
  real<lower=0, upper=1> row_theta_T_plus; // theta_T+
}

transformed parameters {
  real p_R0 = 1 - row_theta_R; // R=0
  real p_R1 = row_theta_R; // R=1
  real p_R0_A0 = p_R0 * (1 - row_theta_A_minus); // R=0 A=0
  real p_R0_A1 = p_R0 * row_theta_A_minus; // R=0 A=1
  real p_R1_A0 = p_R1 * (1 - row_theta_A_plus); // R=1 A=0
  real p_R1_A1 = p_R1 * row_theta_A_plus; // R=1 A=1
  real p_R0_A0_T0 = p_R0_A0 * (1 - row_theta_T_minus); // R=0 A=0 T=0
  real p_R0_A0_T1 = p_R0_A0 * row_theta_T_minus; // R=0 A=0 T=1
  real p_R1_A0_T0 = p_R1_A0 * (1 - row_theta_T_plus); // R=1 A=0 T=0
  real p_R1_A0_T1 = p_R1_A0 * row_theta_T_plus; // R=1 A=0 T=1
}

model {
  row_theta_R ~ beta(1, 1);
  row_theta_A_minus ~ beta(1, 1);
  row_theta_A_plus ~ beta(1, 1);
  row_theta_T_minus ~ beta(1, 1);
  row_theta_T_plus ~ beta(1, 1);
  target += n[1] * log(p_R0_A0_T0); // R=0 A=0 T=0
  target += n[2] * log(p_R0_A0_T1); // R=0 A=0 T=1
  target += n[3] * log(p_R0_A0); // R=0 A=0 T=?
  target += n[4] * log(p_R0_A1); // R=0 A=1 T=0
  target += n[5] * log(p_R0_A1 + p_R0_A0_T0); // R=0 A=? T=0
  target += n[6] * log(p_R0); // R=0 A=? T=?
  target += n[7] * log(p_R1_A0_T0); // R=1 A=0 T=0
  target += n[8] * log(p_R1_A0_T1); // R=1 A=0 T=1
  target += n[9] * log(p_R1_A0); // R=1 A=0 T=?
  target += n[10] * log(p_R1_A1); // R=1 A=1 T=0
  target += n[11] * log(p_R1_A1 + p_R1_A0_T0); // R=1 A=? T=0
  target += n[12] * log(p_R1); // R=1 A=? T=?
  target += n[13] * log(p_R0_A0_T0 + p_R1_A0_T0); // R=? A=0 T=0
  target += n[14] * log(p_R0_A0_T1 + p_R1_A0_T1); // R=? A=0 T=1
  target += n[15] * log(p_R0_A0 + p_R1_A0); // R=? A=0 T=?
  target += n[16] * log(p_R0_A1 + p_R1_A1); // R=? A=1 T=0
  target += n[17] * log(p_R0_A1 + p_R1_A1 + p_R0_A0_T0 + p_R1_A0_T0); // R=? A=? T=0
  // n[18]: R=? A=? T=?, which says nothing
}

generated quantities {
  real theta_R = p_R1; // theta_R = P(R=1)
  real theta_A_minus = row_theta_A_minus; // theta_A- = P(A=1 | R=0)
  real theta_A_plus = row_theta_A_plus; // theta_A+ = P(A=1 | R=1)
  real theta_T_minus = row_theta_T_minus; // theta_T- = P(T=1 | R=0, A=0)
  real theta_T_plus = row_theta_T_plus; // theta_T+ = P(T=1 | R=1, A=0)
  real P_R = p_R1; // P(R=1)
  real P_A = p_R0_A1 + p_R1_A1; // P(A=1)
  real P_T = p_R0_A0_T1 + p_R1_A0_T1; // P(T=1)
  real P_G = p_R0_A1 + p_R1_A0_T1; // P(G=1)
}
