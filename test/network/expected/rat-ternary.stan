// Network rat-ternary, written by rat-engine for Stan 2.26 or newer; the data are in data.json beside it.
//
// The model is a tree: every variable in turn splits each case that can happen. A row of the conditional probability
// tables is one probability; a variable of more than two levels takes several, "this level or one above it", with the
// Beta priors that make them a Dirichlet row. A record is counted by what was seen of it, ? where nothing was, and its
// probability is the sum of those of the cases that are left.

data {
  // How many records show each pattern of labels; real, since there may be more than an int holds.
  array[24] real<lower=0> n;
}

parameters {
  real<lower=0, upper=1> row_theta_R_above_fail; // theta_R>fail
  real<lower=0, upper=1> row_theta_R_above_partial; // theta_R>partial
  real<lower=0, upper=1> row_theta_A_minus; // theta_A-
  real<lower=0, upper=1> row_theta_A_partial; // theta_A~
  real<lower=0, upper=1> row_theta_A_plus; // theta_A+
  real<lower=0, upper=1> row_theta_T_minus; // theta_T-
  real<lower=0, upper=1> row_theta_T_partial; // theta_T~
  real<lower=0, upper=1> row_theta_T_plus; // theta_T+
}

transformed parameters {
  real p_Rfail = 1 - row_theta_R_above_fail; // R=fail
  real p_R_above_fail = row_theta_R_above_fail; // R=partial or success
  real p_Rpartial = p_R_above_fail * (1 - row_theta_R_above_partial); // R=partial
  real p_Rsuccess = p_R_above_fail * row_theta_R_above_partial; // R=success
  real p_Rfail_A0 = p_Rfail * (1 - row_theta_A_minus); // R=fail A=0
  real p_Rfail_A1 = p_Rfail * row_theta_A_minus; // R=fail A=1
  real p_Rpartial_A0 = p_Rpartial * (1 - row_theta_A_partial); // R=partial A=0
  real p_Rpartial_A1 = p_Rpartial * row_theta_A_partial; // R=partial A=1
  real p_Rsuccess_A0 = p_Rsuccess * (1 - row_theta_A_plus); // R=success A=0
  real p_Rsuccess_A1 = p_Rsuccess * row_theta_A_plus; // R=success A=1
  real p_Rfail_A0_T0 = p_Rfail_A0 * (1 - row_theta_T_minus); // R=fail A=0 T=0
  real p_Rfail_A0_T1 = p_Rfail_A0 * row_theta_T_minus; // R=fail A=0 T=1
  real p_Rpartial_A0_T0 = p_Rpartial_A0 * (1 - row_theta_T_partial); // R=partial A=0 T=0
  real p_Rpartial_A0_T1 = p_Rpartial_A0 * row_theta_T_partial; // R=partial A=0 T=1
  real p_Rsuccess_A0_T0 = p_Rsuccess_A0 * (1 - row_theta_T_plus); // R=success A=0 T=0
  real p_Rsuccess_A0_T1 = p_Rsuccess_A0 * row_theta_T_plus; // R=success A=0 T=1
}

model {
  row_theta_R_above_fail ~ beta(2, 1);
  row_theta_R_above_partial ~ beta(1, 1);
  row_theta_A_minus ~ beta(1, 1);
  row_theta_A_partial ~ beta(1, 1);
  row_theta_A_plus ~ beta(1, 1);
  row_theta_T_minus ~ beta(1, 1);
  row_theta_T_partial ~ beta(1, 1);
  row_theta_T_plus ~ beta(1, 1);
  target += n[1] * log(p_Rfail_A0_T0); // R=fail A=0 T=0
  target += n[2] * log(p_Rfail_A0_T1); // R=fail A=0 T=1
  target += n[3] * log(p_Rfail_A0); // R=fail A=0 T=?
  target += n[4] * log(p_Rfail_A1); // R=fail A=1 T=0
  target += n[5] * log(p_Rfail_A1 + p_Rfail_A0_T0); // R=fail A=? T=0
  target += n[6] * log(p_Rfail); // R=fail A=? T=?
  target += n[7] * log(p_Rpartial_A0_T0); // R=partial A=0 T=0
  target += n[8] * log(p_Rpartial_A0_T1); // R=partial A=0 T=1
  target += n[9] * log(p_Rpartial_A0); // R=partial A=0 T=?
  target += n[10] * log(p_Rpartial_A1); // R=partial A=1 T=0
  target += n[11] * log(p_Rpartial_A1 + p_Rpartial_A0_T0); // R=partial A=? T=0
  target += n[12] * log(p_Rpartial); // R=partial A=? T=?
  target += n[13] * log(p_Rsuccess_A0_T0); // R=success A=0 T=0
  target += n[14] * log(p_Rsuccess_A0_T1); // R=success A=0 T=1
  target += n[15] * log(p_Rsuccess_A0); // R=success A=0 T=?
  target += n[16] * log(p_Rsuccess_A1); // R=success A=1 T=0
  target += n[17] * log(p_Rsuccess_A1 + p_Rsuccess_A0_T0); // R=success A=? T=0
  target += n[18] * log(p_Rsuccess); // R=success A=? T=?
  target += n[19] * log(p_Rfail_A0_T0 + p_Rpartial_A0_T0 + p_Rsuccess_A0_T0); // R=? A=0 T=0
  target += n[20] * log(p_Rfail_A0_T1 + p_Rpartial_A0_T1 + p_Rsuccess_A0_T1); // R=? A=0 T=1
  target += n[21] * log(p_Rfail_A0 + p_Rpartial_A0 + p_Rsuccess_A0); // R=? A=0 T=?
  target += n[22] * log(p_Rfail_A1 + p_Rpartial_A1 + p_Rsuccess_A1); // R=? A=1 T=0
  // R=? A=? T=0
  target += n[23] * log(p_Rfail_A1 + p_Rpartial_A1 + p_Rsuccess_A1 + p_Rfail_A0_T0 + p_Rpartial_A0_T0 +
      p_Rsuccess_A0_T0);
  // n[24]: R=? A=? T=?, which says nothing
}

generated quantities {
  real theta_R = p_Rsuccess; // theta_R = P(R=success)
  real theta_A_minus = row_theta_A_minus; // theta_A- = P(A=1 | R=fail)
  real theta_A_plus = row_theta_A_plus; // theta_A+ = P(A=1 | R=success)
  real theta_T_minus = row_theta_T_minus; // theta_T- = P(T=1 | R=fail, A=0)
  real theta_T_plus = row_theta_T_plus; // theta_T+ = P(T=1 | R=success, A=0)
  real P_R = p_Rsuccess; // P(R=1) = P(R=success)
  real P_A = p_Rfail_A1 + p_Rpartial_A1 + p_Rsuccess_A1; // P(A=1)
  real P_T = p_Rfail_A0_T1 + p_Rpartial_A0_T1 + p_Rsuccess_A0_T1; // P(T=1)
  real P_G = p_Rfail_A1 + p_Rpartial_A0_T1 + p_Rsuccess_A0_T1; // P(G=1)
  real P_R_partial = p_Rpartial; // P(R=partial)
  real theta_A_partial = row_theta_A_partial; // theta_A~ = P(A=1 | R=partial)
  real theta_T_partial = row_theta_T_partial; // theta_T~ = P(T=1 | R=partial, A=0)
}
